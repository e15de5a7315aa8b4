"""The tournament rules as players read them: data beside a loader. [no Django]"""

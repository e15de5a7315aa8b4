"""A believable circuit of any size: made-up stores and people, and the weeks that they played (DESIGN, command line).

`crowd` says who there is, `nights` what happens at the tables, `circuit` writes it in bulk. Rounds are paired by the
rules and remember their seed, input and reasons as any other; results follow from hidden strengths, so that ratings
have something to find. The same plan gives the same circuit.
"""

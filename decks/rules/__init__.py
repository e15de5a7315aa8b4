"""Cards, deck lists and legality as functions of values. [no Django]

`games` reads a game from its TOML, `cards` is the catalogue, `decklist` reads what a player typed, `legality` judges,
`sentences` says each problem in Spanish or English. One call does it all:

    check(text, game, catalogue, on=date(2026, 6, 12)).problems
"""

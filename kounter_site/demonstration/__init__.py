"""The demonstration circuit: made-up people and stores, weeks of played nights, one night in progress.

`circuit.load` builds it, `removal.remove` takes it away. What is demonstration carries `demo=True` (stores, players,
accounts, seasons); an event is one when its store is.
"""

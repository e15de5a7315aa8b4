"""Exact matching, which knows only weights: the cheapest perfect pairing by the blossom algorithm."""

import numpy as np

from tournaments.swiss.edges import Edges
from tournaments.swiss.field import Numbers


def match(edges: Edges, nodes: Numbers, costs: list[int]) -> Numbers | None:
    """Which edges pair all the nodes, which ascend, at the least cost; None when there is no perfect pairing.

    Nodes and edges are given in a fixed order, and chance in the costs leaves one best pairing, so the answer is one.
    """
    import rustworkx  # only rounds that need a search load it

    a, b = np.searchsorted(nodes, edges.a), np.searchsorted(nodes, edges.b)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from(list(zip(a.tolist(), b.tolist(), (-cost for cost in costs), strict=True)))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(nodes):
        return None
    keys = a * len(nodes) + b
    order = np.argsort(keys)
    wanted = np.sort([min(pair) * len(nodes) + max(pair) for pair in found])
    chosen: Numbers = order[np.searchsorted(keys[order], wanted)]
    return chosen

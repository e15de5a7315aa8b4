"""Textbook Glicko-2, twice (Glickman, "Example of the Glicko-2 system", 2013).

`rate_period` is the kernel: numpy sums, the paper's own regula falsi for the volatility. `oracle` is the paper read
again, step by step in plain Python, with a bisection that knows nothing of the other's iteration.
"""

import math
from dataclasses import dataclass

import numpy as np

SCALE = 173.7178


@dataclass(frozen=True)
class Glicko2:
    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def rate_period(
    player: Glicko2, opponents: list[Glicko2], scores: list[float], *, tau: float = 0.5, epsilon: float = 1e-12
) -> Glicko2:
    mu, phi = (player.rating - 1500.0) / SCALE, player.deviation / SCALE
    if not opponents:
        return Glicko2(player.rating, SCALE * math.hypot(phi, player.volatility), player.volatility)
    mus = np.array([(o.rating - 1500.0) / SCALE for o in opponents])
    g = 1.0 / np.sqrt(1.0 + 3.0 * np.array([o.deviation / SCALE for o in opponents]) ** 2 / math.pi**2)
    expected = 1.0 / (1.0 + np.exp(-g * (mu - mus)))
    v = 1.0 / float((g**2 * expected * (1.0 - expected)).sum())
    gradient = float((g * (np.array(scores) - expected)).sum())
    volatility = _volatility(phi, v, v * gradient, player.volatility, tau, epsilon)
    phi_star_squared = phi**2 + volatility**2
    new_phi = 1.0 / math.sqrt(1.0 / phi_star_squared + 1.0 / v)
    return Glicko2(1500.0 + SCALE * (mu + new_phi**2 * gradient), SCALE * new_phi, volatility)


def _volatility(phi: float, v: float, delta: float, sigma: float, tau: float, epsilon: float) -> float:
    """Step 5, the Illinois form of regula falsi."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        variance = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - variance) / (2.0 * variance**2) - (x - a) / tau**2

    low, high = a, math.log(delta**2 - phi**2 - v) if delta**2 > phi**2 + v else a - tau
    while delta**2 <= phi**2 + v and f(high) < 0.0:
        high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > epsilon:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
        if f_middle == 0.0:
            break
    return math.exp(high / 2.0)


def oracle(player: Glicko2, opponents: list[Glicko2], scores: list[float], tau: float = 0.5) -> Glicko2:
    # Step 2: to the Glicko-2 scale.
    mu, phi = (player.rating - 1500) / 173.7178, player.deviation / 173.7178
    others = [((o.rating - 1500) / 173.7178, o.deviation / 173.7178) for o in opponents]
    # Step 6 alone for whoever did not compete.
    if not others:
        return Glicko2(player.rating, 173.7178 * math.sqrt(phi**2 + player.volatility**2), player.volatility)
    # Steps 3 and 4.
    inverse_v, sum_of_surprises = 0.0, 0.0
    for (mu_j, phi_j), score in zip(others, scores, strict=True):
        g = 1 / math.sqrt(1 + 3 * phi_j * phi_j / (math.pi * math.pi))
        e = 1 / (1 + math.exp(-g * (mu - mu_j)))
        inverse_v += g * g * e * (1 - e)
        sum_of_surprises += g * (score - e)
    v = 1 / inverse_v
    delta = v * sum_of_surprises
    # Step 5: the root of f, which falls where it matters, between two bounds that surely hold it.
    ln_sigma2 = math.log(player.volatility * player.volatility)

    def f(x: float) -> float:
        e_x = math.exp(x)
        return e_x * (delta * delta - phi * phi - v - e_x) / (2 * (phi * phi + v + e_x) ** 2) - (x - ln_sigma2) / (
            tau * tau
        )

    left, right = ln_sigma2 - 40 * tau, ln_sigma2 + 40 * tau
    assert f(left) > 0 > f(right)
    for _ in range(200):
        half = (left + right) / 2
        if f(half) > 0:
            left = half
        else:
            right = half
    sigma = math.exp(left / 2)
    # Steps 6, 7 and 8.
    phi_star = math.sqrt(phi * phi + sigma * sigma)
    phi_new = 1 / math.sqrt(1 / (phi_star * phi_star) + 1 / v)
    return Glicko2(1500 + 173.7178 * (mu + phi_new * phi_new * sum_of_surprises), 173.7178 * phi_new, sigma)

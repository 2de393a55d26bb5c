#!/usr/bin/env python3
"""Writes input/access.log: a week of an invented web shop, in the combined log format.

The same Python code with the same seed writes the same bytes. Addresses are from the ranges reserved for documentation
(RFC 5737, RFC 3849), hosts end in .example (RFC 2606), and shop and crawlers do not exist.

    ./generate-access-log.py > input/access.log
"""

import math
import random
import sys
from datetime import datetime, timedelta, timezone

SEED = 20261109
FIRST_DAY = datetime(2026, 11, 9, tzinfo=timezone.utc)
# Monday to Sunday; the weekend is when people shop.
REQUESTS_A_DAY = [2550, 2480, 2700, 2620, 2900, 3420, 3330]

PRODUCTS = [
    "brass-desk-lamp", "oak-stool", "linen-curtain", "wool-blanket", "enamel-kettle", "paper-lantern", "cork-board",
    "clay-teapot", "birch-shelf", "felt-slippers", "copper-pan", "rattan-basket", "glass-carafe", "jute-rug",
    "walnut-tray", "ceramic-vase", "cast-iron-pot", "bamboo-screen", "cotton-hammock", "marble-coaster",
]
CATEGORIES = ["lighting", "seating", "textiles", "kitchen", "storage", "sale"]
SEARCHES = ["lamp", "blanket", "tea+pot", "shelf", "rug", "gift", "pan+28cm", "curtain+grey"]
POSTS = ["caring-for-copper", "small-kitchens", "how-we-pack", "winter-light"]
ASSETS = [
    ("/static/css/shop.9f31c2.css", 18244), ("/static/js/shop.4be07d.js", 71930), ("/static/js/cart.a81e55.js", 15082),
    ("/static/img/logo.svg", 2310), ("/static/fonts/body.woff2", 23456), ("/favicon.ico", 1150),
]
PROBES = ["/wp-login.php", "/.env", "/xmlrpc.php", "/phpmyadmin/", "/.git/config", "/admin/login", "/cgi-bin/test.cgi"]
DEAD_LINKS = ["/p/brass-floor-lamp", "/catalogue-2024.pdf", "/c/garden", "/blog/summer-sale", "/static/img/old-logo.png"]

BROWSERS = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:131.0) Gecko/20100101 Firefox/131.0",
    "Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) Version/17.6 Mobile/15E148 Safari/604.1",
]
CRAWLERS = [
    "Mozilla/5.0 (compatible; FinderBot/2.1; +https://finder.example/bot)",
    "PriceSpider/1.4 (+https://prices.example/spider)",
    "ArchiveCrawler/0.9 (crawler@archive.example)",
]
SCANNER = "Mozilla/5.0 zgrope/0.x"
MONITOR = "uptime-check/3.2"

SHOP = "https://shop.example"
REFERRERS = ["-", "-", "https://search.example/", "https://social.example/feed", "https://magazine.example/living"]

# Two bad moments: a cart service that is down over lunch, and a release that breaks search.
CART_OUTAGE = (FIRST_DAY + timedelta(days=2, hours=12, minutes=8), FIRST_DAY + timedelta(days=2, hours=12, minutes=51))
BAD_RELEASE = (FIRST_DAY + timedelta(days=5, hours=21, minutes=30), FIRST_DAY + timedelta(days=5, hours=21, minutes=52))


def main():
    chance = random.Random(SEED)
    lines = []
    for day, n_requests in enumerate(REQUESTS_A_DAY):
        lines += visits(chance, day, int(n_requests * 0.80))
        lines += crawls(chance, day, int(n_requests * 0.12))
        lines += scans(chance, day, int(n_requests * 0.02))
        lines += checks(day)
    # Sorted by time only: what happens in the same second stays in the order of its making.
    lines.sort(key=lambda line: line[0])
    for _, text in lines:
        sys.stdout.write(text + "\n")


def visits(chance, day, n_requests):
    """People: a page, now and then its assets, a few more pages, and sometimes a purchase."""
    lines = []
    while len(lines) < n_requests:
        address, agent = visitor(chance), pick(chance, BROWSERS)
        time = moment(chance, day)
        referrer = pick(chance, REFERRERS)
        is_new = chance.random() < 0.45
        for _ in range(1 + int(chance.random() ** 2 * 7)):
            path, size = page(chance)
            lines.append(request(chance, time, address, "GET", path, size, referrer, agent))
            if is_new:
                for asset, asset_size in ASSETS[: 2 + int(chance.random() * 3)]:
                    lines.append(request(chance, time, address, "GET", asset, asset_size, SHOP + path, agent))
                is_new = False
            referrer = SHOP + path
            time += timedelta(seconds=4 + int(chance.random() * 70))
        if chance.random() < 0.16:
            for method, path, size in [("POST", "/api/cart", 212), ("GET", "/cart", 8120), ("POST", "/checkout", 940)]:
                lines.append(request(chance, time, address, method, path, size, referrer, agent))
                referrer = SHOP + "/cart"
                time += timedelta(seconds=10 + int(chance.random() * 90))
                if chance.random() < 0.3:
                    break
    return lines


def crawls(chance, day, n_requests):
    """Crawlers: evenly over the day, page after page, without assets."""
    lines = []
    while len(lines) < n_requests:
        agent = pick(chance, CRAWLERS)
        address = f"203.0.113.{10 + CRAWLERS.index(agent) * 8 + int(chance.random() * 4)}"
        time = at(day, chance.random() * 86400)
        lines.append(request(chance, time, address, "GET", "/robots.txt", 88, "-", agent))
        for _ in range(3 + int(chance.random() * 12)):
            path, size = page(chance)
            lines.append(request(chance, time, address, "GET", path, size, "-", agent))
            time += timedelta(seconds=2 + int(chance.random() * 9))
    return lines


def scans(chance, day, n_requests):
    """Those who look for open doors, and those who speak TLS to a plain port."""
    lines = []
    while len(lines) < n_requests:
        address = f"198.51.100.{200 + int(chance.random() * 20)}"
        time = at(day, chance.random() * 86400)
        if chance.random() < 0.25:
            lines.append((time, entry(time, address, r"\x16\x03\x01\x00\xEE\x01\x00\x00\xEA\x03\x03", 400, 157, "-", "-")))
            continue
        if chance.random() < 0.1:
            lines.append((time, entry(time, address, "-", 408, 0, "-", "-")))
            continue
        for path in PROBES[: 1 + int(chance.random() * len(PROBES))]:
            lines.append((time, entry(time, address, f"GET {path} HTTP/1.1", 404, 548, "-", SCANNER)))
            time += timedelta(seconds=1)
    return lines


def checks(day):
    """The shop's own monitoring, every ten minutes."""
    times = [at(day, second) for second in range(3, 86400, 600)]
    return [(time, entry(time, "192.0.2.5", "HEAD /health HTTP/1.1", 200, 0, "-", MONITOR)) for time in times]


def request(chance, time, address, method, path, size, referrer, agent):
    status, sent = outcome(chance, time, method, path, size)
    return time, entry(time, address, f"{method} {path} HTTP/1.1", status, sent, referrer, agent)


def outcome(chance, time, method, path, size):
    luck = chance.random()
    # Pages ask the cart service too, for the number in their corner; half of them come in time.
    if CART_OUTAGE[0] <= time < CART_OUTAGE[1] and (path.startswith(("/api/cart", "/cart", "/checkout")) or luck < 0.5):
        return (502, 552) if luck < 0.2 else (503, 599)
    if BAD_RELEASE[0] <= time < BAD_RELEASE[1] and (path.startswith("/search") or luck < 0.45):
        return 500, 1733
    if path in DEAD_LINKS:
        return 404, 3120
    if luck < 0.0012:
        return 500, 1733
    if luck < 0.0018:
        return 504, 562
    if method == "POST":
        return (303, 0) if path == "/checkout" else (201, size)
    if path.startswith("/static/") or path == "/favicon.ico":
        return (304, 0) if luck < 0.3 else (200, size)
    if luck < 0.012:
        return 301, 178
    return 200, int(size * (0.92 + 0.16 * chance.random()))


def page(chance):
    """A page and about how large it is. The first products of the list sell best."""
    kind = chance.random()
    if kind < 0.22:
        return "/", 14820
    if kind < 0.60:
        product = PRODUCTS[int(chance.random() ** 2.2 * len(PRODUCTS))]
        query = "?ref=mail" if chance.random() < 0.08 else ""
        return f"/p/{product}{query}", 21340
    if kind < 0.80:
        category = CATEGORIES[int(chance.random() ** 1.5 * len(CATEGORIES))]
        query = f"?page={2 + int(chance.random() * 4)}" if chance.random() < 0.3 else ""
        return f"/c/{category}{query}", 30410
    if kind < 0.89:
        return f"/search?q={pick(chance, SEARCHES)}", 17600
    if kind < 0.95:
        return f"/blog/{pick(chance, POSTS)}", 26950
    if kind < 0.98:
        return pick(chance, ["/about", "/shipping", "/contact"]), 9240
    return pick(chance, DEAD_LINKS), 3120


def visitor(chance):
    """A reader's address: two documentation networks, and some on IPv6."""
    if chance.random() < 0.15:
        return f"2001:db8:{int(chance.random() * 64):x}::{1 + int(chance.random() * 400):x}"
    network = "192.0.2" if chance.random() < 0.5 else "198.51.100"
    return f"{network}.{20 + int(chance.random() * 170)}"


def moment(chance, day):
    """A time of day as people keep it: little at night, a hill at noon, a higher one in the evening."""
    while True:
        hour = chance.random() * 24
        noon = 0.65 * math.exp(-((hour - 12.5) ** 2) / 11)
        evening = 0.95 * math.exp(-((hour - 20.3) ** 2) / 5.5)
        if chance.random() < 0.05 + noon + evening:
            return at(day, hour * 3600)


def at(day, second):
    return FIRST_DAY + timedelta(days=day, seconds=int(second))


def pick(chance, choices):
    return choices[int(chance.random() * len(choices))]


def entry(time, address, request_line, status, sent, referrer, agent):
    # Not %b, which would follow the language of whoever runs this.
    month = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[time.month - 1]
    stamp = f"{time.day:02}/{month}/{time.year}:{time:%H:%M:%S} +0000"
    return f'{address} - - [{stamp}] "{request_line}" {status} {sent} "{referrer}" "{agent}"'


if __name__ == "__main__":
    main()

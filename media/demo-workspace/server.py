"""A bookshop. Half of its tools hide their failures (FL001), the other half does not.

Run it with: pip install 'mcp<2' && python3 server.py
"""

import json

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations

mcp = FastMCP("bookshop-python")

# Tells clients that a call may be repeated.
READS = ToolAnnotations(readOnlyHint=True)

BOOKS = {
    "Dune": {"author": "Frank Herbert", "price": 10.99, "stock": 12},
    "Foundation": {"author": "Isaac Asimov", "price": 8.99, "stock": 7},
    "Neuromancer": {"author": "William Gibson", "price": 11.99, "stock": 0},
}


# --- These tools tell their failures in the text alone: the model takes them for answers. ---


@mcp.tool()
def get_author(title: str) -> str:
    """The author of a book, by its exact title."""
    if title not in BOOKS:
        return f"Error: no book titled '{title}'"
    return BOOKS[title]["author"]


@mcp.tool()
def get_price(title: str) -> dict:
    """The price of a book in euros."""
    try:
        return {"title": title, "price": BOOKS[title]["price"]}
    except KeyError as exc:
        return {"error": f"Unknown title: {exc}"}


@mcp.tool()
def read_orders(path: str) -> str:
    """The orders in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.dumps(json.load(file))
    except OSError as exc:
        return f"Failed to read {path}: {exc}"


# --- These do the same and say so: a raised ToolError reaches the model with isError set. Annotated, they may be repeated. ---


@mcp.tool(annotations=READS)
def get_author_safely(title: str) -> str:
    """The author of a book, by its exact title."""
    if title not in BOOKS:
        raise ToolError(f"No book is titled '{title}'. Use search_books to find the exact title.")
    return BOOKS[title]["author"]


@mcp.tool(annotations=READS)
def read_orders_safely(path: str) -> str:
    """The orders in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.dumps(json.load(file))
    except OSError as exc:
        raise ToolError(f"Cannot read {path}: {exc.strerror}") from exc


@mcp.tool(annotations=READS)
def search_books(query: str) -> str:
    """Titles that contain the query. Finding none is an answer, not a failure."""
    found = [title for title in BOOKS if query.lower() in title.lower()]
    return ", ".join(found) if found else "No books found"


if __name__ == "__main__":
    mcp.run()

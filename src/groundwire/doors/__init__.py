"""The ways in: command line, REST, pages, MCP. Each parses, calls the facade, and renders."""

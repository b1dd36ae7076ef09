"""The desk for other programs and their models: jobs, tools and what is stored, over the Model
Context Protocol. `stdio.serve` and `http.McpDoor` are the two ways in; `server.build` is what both
lead to."""

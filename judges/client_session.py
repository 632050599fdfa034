"""One session of the official Python client: client_session.py <endpoint> <token>. As client-session.mjs."""

import asyncio
import re
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(endpoint: str, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(endpoint, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            assert len(tools) >= 25, len(tools)

            async def call(name: str, given: dict):
                result = await client.call_tool(name, given)
                return "\n".join(block.text for block in result.content), result.is_error

            text, _ = await call("add_connections", {"connections": [{"name": "Grace Hopper python"}]})
            connection_id = re.search(r"c_\d+", text).group()
            calls = [
                ("whoami", {}),
                ("get_jobs", {}),
                ("search_connections", {"query": "Hopper python"}),
                ("get_connections", {"people": [connection_id]}),
                ("save_note", {"people": connection_id, "text": "Found a moth"}),
                ("list_timeline", {"people": [connection_id]}),
                ("save_follow_up", {"people": connection_id, "text": "Call her", "due_on": "2031-03-05"}),
                ("update_connections", {"people": [connection_id], "tags": ["navy"]}),
                ("list_activity", {}),
            ]
            for name, given in calls:
                text, failed = await call(name, given)
                assert not failed, f"{name}: {text}"
            text, failed = await call("get_connections", {"people": ["c_99999"]})
            assert failed and re.search(r"c_99999 was not found.*search_connections", text), text
            resources = (await client.list_resources()).resources
            read = await client.read_resource("weft://me.md")
            assert read.contents[0].text.startswith("# Me"), read
            prompts = (await client.list_prompts()).prompts
    print(
        f"{len(tools)} tools, 10 calls, a readable error, "
        f"{len(resources)} resources, {len(prompts)} prompts",
        end="",
    )


asyncio.run(main(*sys.argv[1:]))

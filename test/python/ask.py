"""Answers questions of a test, one a line: asks the installed Holdpoint with the client of the Python package."""

import asyncio
import base64
import json
import sys

from holdpoint import Client

for line in sys.stdin:
    asked = json.loads(line)
    client = Client(asked["host"], home=asked["home"], deadline=asked["deadline"])
    options = {"on_failure": asked["onFailure"], "cwd": asked["cwd"], "env": asked["env"]}
    payload = base64.b64decode(asked["payload"])
    if asked["isAsync"]:
        reply = asyncio.run(client.ask_async(asked["event"], payload, **options))
    else:
        reply = client.ask(asked["event"], payload, **options)
    out, err = (base64.b64encode(text).decode() for text in (reply.stdout, reply.stderr))
    print(json.dumps({"stdout": out, "stderr": err, "exitCode": reply.exit_code}), flush=True)

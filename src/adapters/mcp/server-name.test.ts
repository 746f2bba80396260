import { expect, it } from 'vitest'
import { serverNameOf } from './server-name.ts'

it.each<[string, string]>([
  ['npx -y @modelcontextprotocol/server-filesystem /srv', 'server-filesystem'],
  ['npx -y @modelcontextprotocol/server-memory@2026.8.31', 'server-memory'],
  ['uvx mcp-server-git --repository .', 'mcp-server-git'],
  ['uv run weather.py', 'weather'],
  ['node /srv/project/tools/server.js', 'server'],
  ['python3 -m my_server', 'my_server'],
  ['/opt/bin/github-mcp stdio', 'github-mcp'],
  ['docker run -i --rm example/mcp:1.2', 'mcp_1_2'],
  ['https://mcp.example.com/v1?token=secret', 'mcp_example_com'],
  ['node', 'node'],
  ['%%', '_'],
])('%s is called %s', (command, name) => {
  expect(serverNameOf(command.split(' '))).toBe(name)
})

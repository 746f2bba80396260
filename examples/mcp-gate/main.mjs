// A client and a server without code for hooks, with the gate between them. The policy is in a temporary home, so that
// yours is not used. From a clone: npm ci && npm run build && node examples/mcp-gate/main.mjs
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const here = import.meta.dirname
const home = mkdtempSync(join(tmpdir(), 'holdpoint-example-'))
cpSync(join(here, 'policy'), home, { recursive: true })

// The command of the installed package; at a terminal it is just `holdpoint`.
const holdpoint = join(
  dirname(createRequire(import.meta.url).resolve('holdpoint/package.json')),
  'dist',
  'holdpoint.cjs',
)
const server = [process.execPath, join(here, 'server.mjs')]
const client = new Client({ name: 'example', version: '1.0.0' }, { capabilities: { elicitation: {} } })

// Here a person would be asked. This one says yes only to Ann.
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  const answer = params.message.includes('"to":"ann"') ? 'yes' : 'no'
  console.log(`person: ${params.message.split('\n')[0]} ${answer}`)
  return { action: 'accept', content: { answer } }
})

await client.connect(
  new StdioClientTransport({
    command: holdpoint,
    args: ['mcp', '--home', home, '--name', 'notes', '--hide', 'delete_*', '--', ...server],
    cwd: home,
  }),
)
const { tools } = await client.listTools()
console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`)
await use('read_note', { name: 'keys' })
await use('write_note', { name: 'wifi', words: 'the password is hunter2' })
await use('share_note', { name: 'keys', to: 'ann' })
await use('share_note', { name: 'keys', to: 'everybody' })
await use('delete_all_notes', {})
await client.close()
rmSync(home, { recursive: true, force: true })

async function use(name, input) {
  const { content } = await client.callTool({ name, arguments: input })
  console.log(
    `${name}: ${content
      .map((part) => part.text)
      .join(' ')
      .replaceAll('\n', ' ')}`,
  )
}

// A server that keeps notes, with the official SDK. It trusts whoever calls it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const notes = new Map([['keys', 'token: s3cr3t\nrenew it in May']])
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const name = z.string()

const server = new McpServer({ name: 'notes', version: '1.0.0' })
server.registerTool('read_note', { description: 'Reads a note.', inputSchema: { name } }, (note) =>
  text(notes.get(note.name) ?? 'no such note'),
)
server.registerTool(
  'write_note',
  { description: 'Writes a note.', inputSchema: { name, words: z.string() } },
  (note) => {
    notes.set(note.name, note.words)
    return text(`wrote ${note.name}`)
  },
)
server.registerTool(
  'share_note',
  { description: 'Sends a note.', inputSchema: { name, to: z.string() } },
  (note) => text(`sent ${note.name} to ${note.to}`),
)
server.registerTool('delete_all_notes', { description: 'Deletes every note.' }, () => {
  notes.clear()
  return text('deleted')
})
await server.connect(new StdioServerTransport())

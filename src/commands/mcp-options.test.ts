import { describe, expect, it } from 'vitest'
import { headersOf, type McpOptions, nameOf, portOf, reachedBy, whoOf } from './mcp-options.ts'

describe('what is wrong is said', () => {
  it.each<[string, () => unknown, string]>([
    ['no server', () => reachedBy([], {}), 'Name one server'],
    ['two servers', () => reachedBy(['x'], { url: 'http://127.0.0.1/' }), 'Name one server'],
    ['no address', () => reachedBy([], { url: 'ftp://x' }), '--url is "ftp://x"'],
    ['no address at all', () => reachedBy([], { url: 'x' }), '--url is "x"'],
    ['listening for a command', () => reachedBy(['x'], { listen: '1' }), '--listen needs'],
    ['no port', () => portOf('x'), '--listen is "x"'],
    ['a port too high', () => portOf('65536'), '0 to 65535'],
    ['a bad name', () => nameOf('a b', ['x']), '--name is "a b"'],
    ['a name too long', () => nameOf('a'.repeat(65), ['x']), 'up to 64'],
    ['a header that is none', () => headersOf(['x'], {}), '--header is "x"'],
    ['a header from nowhere', () => headersOf(['A: $NOT_SET'], {}), '$NOT_SET'],
  ])('%s', (_name, read, says) => {
    expect(read).toThrow(says)
  })
})

it.each<[readonly string[], McpOptions, readonly string[]]>([
  [['npx', '-y', 'server'], {}, ['npx', '-y', 'server']],
  [[], { url: 'https://mcp.example.com/' }, ['https://mcp.example.com/']],
])('a server is reached by its words or its address', (words, options, reached) => {
  expect(reachedBy(words, options)).toEqual(reached)
})

it('a header takes secrets from variables', () => {
  expect(headersOf(['Authorization: Bearer $TOKEN', 'X-A: b:c'], { TOKEN: 't' })).toEqual({
    authorization: 'Bearer t',
    'x-a': 'b:c',
  })
})

it('every gate has a session of its own unless it is told one', () => {
  expect(whoOf({ session: 's', agent: 'a', agentType: 't' }, '/srv')).toEqual({
    session: 's',
    agentId: 'a',
    agentType: 't',
    cwd: '/srv',
  })
  expect(whoOf({}, '/srv').session).not.toBe(whoOf({}, '/srv').session)
})

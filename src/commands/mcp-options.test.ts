import { describe, expect, it } from 'vitest'
import { headersOf, type McpOptions, nameOf, portOf, reachedBy, whoOf } from './mcp-options.ts'

describe('options that are not valid get a message', () => {
  it.each<[string, () => unknown, string]>([
    ['no server', () => reachedBy([], {}), 'Name exactly one server'],
    ['two servers', () => reachedBy(['x'], { url: 'http://127.0.0.1/' }), 'Name exactly one server'],
    ['an url that is not http', () => reachedBy([], { url: 'ftp://x' }), '--url is "ftp://x"'],
    ['an url that is not an address', () => reachedBy([], { url: 'x' }), '--url is "x"'],
    ['--listen with a command', () => reachedBy(['x'], { listen: '1' }), '--listen works only'],
    ['a port that is not a number', () => portOf('x'), '--listen is "x"'],
    ['a port too high', () => portOf('65536'), '0 to 65535'],
    ['a bad name', () => nameOf('a b', ['x']), '--name is "a b"'],
    ['a name too long', () => nameOf('a'.repeat(65), ['x']), 'up to 64'],
    ['a header without a value', () => headersOf(['x'], {}), '--header is "x"'],
    ['a header with a variable that is not set', () => headersOf(['A: $NOT_SET'], {}), '$NOT_SET'],
  ])('%s', (_name, read, says) => {
    expect(read).toThrow(says)
  })
})

it.each<[readonly string[], McpOptions, readonly string[]]>([
  [['npx', '-y', 'server'], {}, ['npx', '-y', 'server']],
  [[], { url: 'https://mcp.example.com/' }, ['https://mcp.example.com/']],
])('the server is its command or its url', (words, options, reached) => {
  expect(reachedBy(words, options)).toEqual(reached)
})

it('a header takes secrets from environment variables', () => {
  expect(headersOf(['Authorization: Bearer $TOKEN', 'X-A: b:c'], { TOKEN: 't' })).toEqual({
    authorization: 'Bearer t',
    'x-a': 'b:c',
  })
})

it('every gate has its own session unless --session is given', () => {
  expect(whoOf({ session: 's', agent: 'a', agentType: 't' }, '/srv')).toEqual({
    session: 's',
    agentId: 'a',
    agentType: 't',
    cwd: '/srv',
  })
  expect(whoOf({}, '/srv').session).not.toBe(whoOf({}, '/srv').session)
})

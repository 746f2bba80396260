import { describe, expect, it } from 'vitest'
import { maskSecrets, maskSecretsIn } from './found-secrets.ts'

const TOKEN = `ghp_${'aB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7kM0n'}`

describe('maskSecrets', () => {
  it('masks text that is certainly a secret and names its kind', () => {
    expect(maskSecrets(`a ${TOKEN} b`)).toEqual({
      value: 'a [redacted:github-token] b',
      found: ['a GitHub token'],
    })
  })

  it('keeps text that only looks like a secret, so that reading a file does not change it', () => {
    for (const text of [
      'password: hunter2',
      'ghp_short',
      `ghp_${'x'.repeat(36)}`,
      'AKIAIOSFODNN7EXAMPLE',
      '',
    ]) {
      expect(maskSecrets(text)).toEqual({ value: text, found: [] })
    }
  })
})

describe('maskSecretsIn', () => {
  it('masks every text in a value and keeps the rest', () => {
    const output = { stdout: `x=${TOKEN}`, code: 0, list: [null, { text: TOKEN }], flag: true }
    expect(maskSecretsIn(output)).toEqual({
      value: {
        stdout: 'x=[redacted:github-token]',
        code: 0,
        list: [null, { text: '[redacted:github-token]' }],
        flag: true,
      },
      found: ['a GitHub token'],
    })
  })

  it('returns the same value if there is no secret', () => {
    const output = { stdout: 'ok' }
    expect(maskSecretsIn(output).value).toBe(output)
  })
})

import { describe, expect, it } from 'vitest'
import { maskSecrets, maskSecretsIn } from './found-secrets.ts'

const TOKEN = `ghp_${'aB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7kM0n'}`

describe('maskSecrets', () => {
  it('masks what is a secret for certain and names its kind', () => {
    expect(maskSecrets(`a ${TOKEN} b`)).toEqual({
      value: 'a [redacted:github-token] b',
      found: ['a GitHub token'],
    })
  })

  it('leaves what only looks like one, so that a file is not changed by reading it', () => {
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
  it('masks every text of a value and keeps the rest', () => {
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

  it('gives back the value itself when there is nothing', () => {
    const output = { stdout: 'ok' }
    expect(maskSecretsIn(output).value).toBe(output)
  })
})

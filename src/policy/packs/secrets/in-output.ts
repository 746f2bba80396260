import type { Answer } from '../../../core/decision.ts'
import type { Guard } from '../../../core/guard.ts'
import { maskSecretsIn } from './found-secrets.ts'

/**
 * Secrets in the output of a tool are masked before the agent reads them. If the agent does not let hooks replace
 * output, the user is still notified.
 */
export const secretInOutput: Guard = {
  id: 'secrets/in-output',
  title: 'Secret in tool output',
  why: 'Tool output is sent to the model and stored in transcripts. A secret that appeared there is no longer safe and must be replaced.',
  instead: 'work without the value. Refer to it by the name of its variable.',
  on: ['PostToolUse', 'PostToolUseFailure'],
  match: '*',
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  examples: {
    stops: [
      output('Bash', { stdout: `token: ${github()}`, stderr: '' }),
      output('Bash', { stdout: '', stderr: `remote: https://${github()}@example.com` }),
      output('Bash', `export AWS_ACCESS_KEY_ID=AKIA${'Q2W3E4R5T6Y7U2I3'}`),
      output('Read', {
        file: {
          content: `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${'aB3dE6gH9k'}\n-----END RSA PRIVATE KEY-----`,
        },
      }),
      output('Grep', { content: `config.ts:3: key: 'sk_live_${'4eC39HqLyjWDarjtT1zd'}'` }),
      output('Read', [{ type: 'text', text: `slack xoxb-${'2345678901'}-aBcDeFgHiJkLmN` }]),
      output('mcp__db__query', { rows: [{ npm: `npm_${'aB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7kM0n'}` }] }),
      output('WebFetch', `AIza${'SyB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7k'}`),
      failure('mcp__db__query', `cannot connect with ${github()}`),
    ],
    passes: [
      output('Bash', { stdout: 'ok', stderr: '' }),
      output('Bash', ''),
      output('Read', { file: { content: 'const password = process.env.PASSWORD' } }),
      output('Read', { file: { content: "password: 'hunter2'" } }),
      output('Read', 'AKIAIOSFODNN7EXAMPLE'),
      output('Read', `ghp_${'x'.repeat(36)}`),
      output('Bash', 'postgres://postgres:postgres@localhost:5432/app'),
      output('Bash', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'),
      output('Bash', null),
      failure('Bash', 'exit code 1'),
    ],
  },
  check({ event }): Answer | null {
    if (event.kind !== 'PostToolUse' && event.kind !== 'PostToolUseFailure') return null
    // The error text of a failed tool reaches the model too.
    const { value, found } = maskSecretsIn(event.kind === 'PostToolUse' ? event.output : event.error)
    if (found.length === 0) return null
    const notice = `The output of ${event.tool.name} contained ${found.join(', ')}. It was masked if the agent lets hooks replace output. If the agent saw it, replace the secret (secrets/in-output).`
    return { effect: 'pass', output: value, notices: [notice], detail: { found: [...found] } }
  },
}

function output(tool: string, value: unknown) {
  const fields = { tool: { name: tool, input: {} }, output: value as string }
  return { kind: 'PostToolUse' as const, fields }
}

function failure(tool: string, error: string) {
  return { kind: 'PostToolUseFailure' as const, fields: { tool: { name: tool, input: {} }, error } }
}

/** Built from parts, so that secret scanners do not report it. */
function github(): string {
  return `ghp_${'aB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7kM0n'}`
}

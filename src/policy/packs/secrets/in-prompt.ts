import type { Guard } from '../../../core/guard.ts'
import { maskSecrets } from './found-secrets.ts'

/** A secret that the user typed into a prompt. Only its kind is named; the secret itself is never repeated. */
export const secretInPrompt: Guard = {
  id: 'secrets/in-prompt',
  title: 'Secret in a prompt',
  why: 'A prompt is sent to the model and stored in transcripts. A secret that was sent is no longer safe and must be replaced.',
  instead:
    'put the value into a variable or a file that the program reads itself, and name that variable or file in the prompt.',
  on: ['UserPromptSubmit', 'UserPromptExpansion'],
  match: '',
  // The user typed it on purpose, so this warns by default and stops only at stricter levels.
  modes: { standard: 'warn', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      prompt(`use ghp_${'aB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7kM0n'} to push`),
      prompt(`github_pat_${'11ABCDEFG0aB3dE6gH9kLmN2pQ5sTuV8xYz1cF4hJ7kM'}`),
      prompt(`my key is AKIA${'Q2W3E4R5T6Y7U2I3'}`),
      prompt(`-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU`),
      prompt(`set STRIPE_KEY=sk_live_${'4eC39HqLyjWDarjtT1zd'}`),
      prompt(`sk-ant-api03-${'aB3dE6gH9kLmN2pQ5sTuV8xYz'}`),
      prompt(`glpat-${'aB3dE6gH9kLmN2pQ5sTu'}`),
      prompt(`post to https://hooks.slack.com/services/${'T02A3B4C5/B06D7E8F9/aB3dE6gH9kLmN2pQ'}`),
    ],
    passes: [
      prompt('fix the login page'),
      prompt('what is a GitHub token?'),
      prompt('the key starts with ghp_'),
      prompt('use ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx as a placeholder'),
      prompt('AKIAIOSFODNN7EXAMPLE is the one in the documentation'),
      prompt('read the password from $DB_PASSWORD'),
      prompt('set password to hunter2 in the test'),
      prompt('task-based-deployment-of-long-names-1'),
    ],
  },
  check({ event }) {
    if (event.kind !== 'UserPromptSubmit' && event.kind !== 'UserPromptExpansion') return null
    const { found } = maskSecrets(event.prompt)
    return found.length === 0 ? null : { caught: `contains ${found.join(', ')}` }
  },
}

function prompt(text: string) {
  return { kind: 'UserPromptSubmit' as const, fields: { prompt: text } }
}

import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { parse } from '../../src/shell/grammar/parse.ts'
import { inputs } from './inputs.ts'

/**
 * Reads NUL-separated texts and prints for each whether bash would accept it. `-n` parses and runs nothing. The texts
 * arrive on standard input as data and are never part of a command.
 */
const ASK =
  'while IFS= read -r -d "" text; do bash -O extglob -n <<< "$text" 2>/dev/null && echo 1 || echo 0; done'

function acceptedByBash(texts: readonly string[]): Promise<readonly boolean[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--norc', '--noprofile', '-c', ASK], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' },
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', () =>
      resolve(
        output
          .trim()
          .split('\n')
          .map((line) => line === '1'),
      ),
    )
    child.stdin.end(texts.map((text) => `${text}\0`).join(''))
  })
}

/** Checks two halves of the texts at the same time, because most of the time is spent starting bash. */
async function disagreements(texts: readonly string[]): Promise<readonly string[]> {
  const middle = Math.ceil(texts.length / 2)
  const [first, second] = await Promise.all([texts.slice(0, middle), texts.slice(middle)].map(acceptedByBash))
  const bash = [...(first ?? []), ...(second ?? [])]
  expect(bash).toHaveLength(texts.length)
  return texts.flatMap((text, at) => {
    const parsed = parse(text)
    if (!parsed.ok && OWN_LIMITS.test(parsed.why)) return []
    return parsed.ok === bash[at]
      ? []
      : [`${parsed.ok ? 'only we accept' : 'only bash accepts'} ${JSON.stringify(text)}`]
  })
}

/** Texts that Holdpoint refuses because of their size, whatever the grammar says. */
const OWN_LIMITS = /nested more than|more than \d+ (words|braces)/

const given = await inputs(1_200)

test('every example is accepted or refused as bash does', async () => {
  expect(given.examples.length).toBeGreaterThan(800)
  expect(await disagreements(given.examples)).toEqual([])
})

test('broken examples are accepted or refused as bash does, with few exceptions', async () => {
  expect(given.mutated.length).toBeGreaterThan(800)
  const found = await disagreements(given.mutated)
  expect(found.filter((each) => each.startsWith('only we'))).toEqual([])
  // A refused command asks the user, so a few differences in `[[ … ]]` are acceptable.
  expect(found.length).toBeLessThan(given.mutated.length / 100)
})

import { constantFor, isId, textOf } from './names.mjs'

const COMMANDS = 'src/commands'
const BEFORE = '  addDocs(caller, program)\n'

/**
 * The files of a new command, as texts by their paths; or the problem.
 *
 * @example
 * newCommand(['rename'], repository)
 * // { files: { 'src/commands/rename.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newCommand([id = ''], repository) {
  const { read, list } = repository
  if (!isId(id)) return { problem: 'Name a command in small letters: npm run new command <name>' }
  const path = `${COMMANDS}/${id}.ts`
  if (read(path) !== undefined || list(`${COMMANDS}/${id}`).length > 0) {
    return { problem: `${path} exists already. Change it there.` }
  }
  const line = lineThatNames(id, repository)
  if (line !== undefined) return { problem: `${id} is a command already: ${line}. Change it there.` }
  const constant = constantFor(id, 'command')
  const main = textOf(repository, `${COMMANDS}/main.ts`)
  return {
    files: {
      [path]: commandText(id, constant),
      [`test/e2e/${id}.test.ts`]: testText(id),
      [`${COMMANDS}/main.ts`]: main.replace(BEFORE, `${optionsText(id, constant)}${BEFORE}`),
    },
    next: [
      `1. Say in ${path} what the command does. Its options are in ${COMMANDS}/main.ts;`,
      `   move them to the file in ${COMMANDS} that ends in -line and has the most similar commands.`,
      `2. Run: npm test -- test/e2e/${id}`,
      `3. Remove \`hidden\`, and add it to ${COMMANDS}/help.ts, to the table of commands in README.md`,
      '   and to test/e2e/started-commands.ts.',
    ],
  }
}

/**
 * @param {string} id
 * @param {import('./kinds.mjs').RepositoryFiles} repository
 */
function lineThatNames(id, { read, list }) {
  return list(COMMANDS)
    .filter((name) => name === 'main.ts' || name.endsWith('-line.ts'))
    .map((name) => `${COMMANDS}/${name}`)
    .find((path) => new RegExp(`\\.command\\('${id}[ ']`).test(read(path) ?? ''))
}

/**
 * @param {string} id
 * @param {string} constant
 */
function optionsText(id, constant) {
  return `  program
    .command('${id}', { hidden: true })
    .description('Say here what it does, in one sentence.')
    .option('--json', 'print everything as one JSON object')
    .action(async (options) => (await import('./${id}.ts')).${constant}(caller, options))
`
}

/**
 * @param {string} id
 * @param {string} constant
 */
function commandText(id, constant) {
  return `import type { Caller } from './caller.ts'

/** Say here what \`holdpoint ${id}\` does. */
export async function ${constant}(caller: Caller, options: { readonly json?: boolean }): Promise<void> {
  const said = { version: 1, command: '${id}' }
  caller.stdout.write(options.json === true ? \`\${JSON.stringify(said)}\\n\` : '${id} does nothing yet.\\n')
}
`
}

/** @param {string} id */
function testText(id) {
  return `import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

describe('holdpoint ${id}', () => {
  it('says what it did, as text and as JSON', async () => {
    expect(await sandbox.run(['${id}'])).toMatchObject({ exitCode: 0, stdout: '${id} does nothing yet.\\n' })
    const { stdout } = await sandbox.run(['${id}', '--json'])
    expect(JSON.parse(stdout)).toEqual({ version: 1, command: '${id}' })
  })

  it('refuses an option that it does not have', async () => {
    expect(await sandbox.run(['${id}', '--nonsense'])).toMatchObject({ exitCode: 64, stdout: '' })
  })
})
`
}

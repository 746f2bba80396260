import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { KINDS } from '../../scripts/new/kinds.mjs'

const root = join(import.meta.dirname, '..', '..')
const repository = {
  read: (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined),
  list: (path: string) => (existsSync(join(root, path)) ? readdirSync(join(root, path)) : []),
}

describe('`npm run new` refuses', () => {
  test.each<[keyof typeof KINDS, string, string[], string]>([
    ['program', 'no name', [], 'Name a family and a program'],
    ['program', 'a name without a family', ['frob'], 'Families: archives, clouds'],
    ['program', 'a folder that is no family', ['aspects/frob'], 'Families: archives, clouds'],
    ['program', 'a path out of the folder', ['files/../../x'], 'Families: archives, clouds'],
    ['program', 'a program with a file of its own', ['files/rm'], 'src/shell/programs/files/rm.ts'],
    ['program', 'a program in a table', ['text/kubectl'], 'src/shell/programs/containers/kubernetes.ts'],
    ['program', 'another name of a program', ['text/zcp'], 'src/shell/programs/shells/zsh.ts'],
    ['guard', 'no name', [], 'Packs: collective, mux'],
    ['guard', 'a name without a pack', ['frob'], 'Packs: collective, mux'],
    ['guard', 'a path out of the folder', ['safety/../x'], 'Packs: collective, mux'],
    ['guard', 'the file of the pack', ['safety/pack'], 'Packs: collective, mux'],
    ['guard', 'a known guard', ['safety/git/force-push'], 'src/policy/packs/safety/git/force-push.ts'],
    ['guard', 'a word that the pack uses', ['safety/other/force-push'], 'has a `forcePush` already'],
    ['pack', 'no name', [], 'Name a pack in small letters'],
    ['pack', 'a path', ['../x'], 'Name a pack in small letters'],
    ['pack', 'a known pack', ['safety'], 'src/policy/packs/safety/pack.ts'],
    ['host', 'large letters', ['Codex'], 'Name a host in small letters'],
    ['host', 'a known host', ['codex'], 'src/hosts/codex'],
    ['handler', 'no name', [], 'Name a handler in small letters'],
    ['handler', 'a known handler', ['http'], 'src/handlers/http'],
    ['source', 'no name', [], 'Name a format in small letters'],
    ['source', 'a known source', ['frontmatter'], 'src/config/sources/frontmatter'],
    ['command', 'no name', [], 'Name a command in small letters'],
    ['command', 'the file of a command', ['init'], 'src/commands/init.ts'],
    ['command', 'a folder of commands', ['fleet'], 'src/commands/fleet.ts'],
    ['command', 'a command in another file', ['complete'], 'src/commands/complete.ts'],
  ])('%s: %s', (kind, _, words, problem) => {
    const made = KINDS[kind](words, repository)
    expect(made.problem).toContain(problem)
    expect(made.files).toBeUndefined()
  })
})

describe('`npm run new` makes', () => {
  test.each([
    ['files/frob', 'frob'],
    ['files/frob-all', 'frobAll'],
    ['files/9frob', 'program9frob'],
    ['files/import', 'programimport'],
  ])('the program %s with a name that the language allows', (id, constant) => {
    const { files = {} } = KINDS.program([id], repository)
    expect(files[`src/shell/programs/${id}.ts`]).toContain(`export const ${constant} = program(`)
    expect(files['src/shell/programs/files/index.ts']).toContain(`  ...${constant},\n}\n`)
  })

  test.each<[keyof typeof KINDS, string, string, string]>([
    ['guard', 'production/delete-records', 'src/policy/packs/production/pack.ts', 'deleteRecords, '],
    ['guard', 'safety/git/delete', 'src/policy/packs/safety/pack.ts', "from './git/delete.ts'"],
    ['pack', 'big-bill', 'src/policy/packs/index.ts', "'big-bill': async () =>"],
    ['host', 'acme', 'src/hosts/index.ts', "acme: () => import('./acme/host.ts'),\n}"],
    ['host', 'acme', 'src/hosts/transcripts.ts', "acme: () => import('./acme/transcript.ts'),\n}"],
    ['handler', 'queue', 'src/handlers/index.ts', "export { kind as queue } from './queue/kind.ts'\n"],
    [
      'handler',
      'big-queue',
      'src/handlers/index.ts',
      "export { kind as 'big-queue' } from './big-queue/kind",
    ],
    ['handler', 'queue', 'src/handlers/queue/kind.ts', 'queue: { kind:'],
    ['source', 'acme', 'src/config/sources/index.ts', "acme: () => import('./acme/source.ts'),\n}"],
    ['command', 'rename', 'src/commands/main.ts', "(await import('./rename.ts')).rename(caller, options)"],
  ])('the %s %s, named in %s', (kind, id, table, line) => {
    const { files = {}, next = [] } = KINDS[kind]([id], repository)
    expect(files[table]).toContain(line)
    expect(next.join('\n')).toContain('Run: npm')
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newProgram } from '../../scripts/new/program.mjs'

const root = join(import.meta.dirname, '..', '..')
const repository = {
  read: (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined),
  list: (path: string) => readdirSync(join(root, path)),
}

describe('`npm run new program`', () => {
  test.each([
    ['no name', [], 'Name a family and a program'],
    ['a name without a family', ['frob'], 'Families: archives, clouds'],
    ['a folder that is no family', ['aspects/frob'], 'Families: archives, clouds'],
    ['a path out of the folder', ['files/../../x'], 'Families: archives, clouds'],
    ['a program with a file of its own', ['files/rm'], 'src/shell/programs/files/rm.ts'],
    ['a program in a table', ['text/kubectl'], 'src/shell/programs/containers/kubernetes.ts'],
    ['another name of a program', ['text/zcp'], 'src/shell/programs/shells/zsh.ts'],
  ])('refuses %s', (_, words, problem) => {
    const made = newProgram(words, repository)
    expect(made.problem).toContain(problem)
    expect(made.files).toBeUndefined()
  })

  test.each([
    ['files/frob', 'frob'],
    ['files/frob-all', 'frobAll'],
    ['files/9frob', 'program9frob'],
    ['files/import', 'programimport'],
  ])('makes %s with a name that the language allows', (id, constant) => {
    const { files = {} } = newProgram([id], repository)
    expect(files[`src/shell/programs/${id}.ts`]).toContain(`export const ${constant} = program(`)
    expect(files['src/shell/programs/files/index.ts']).toContain(`  ...${constant},\n}\n`)
  })
})

import { constantFor, textOf } from './names.mjs'

const PROGRAMS = 'src/shell/programs'
/** Not a family: what programs have in common. */
const SHARED = 'aspects'

/**
 * The files of a new program, as texts by their paths; or the problem. A function of the repository as it is.
 *
 * @example
 * newProgram(['files/frob'], repository)
 * // { files: { 'src/shell/programs/files/frob.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newProgram([id = ''], repository) {
  const families = repository.list(PROGRAMS).filter((name) => !name.includes('.') && name !== SHARED)
  const [family = '', name = ''] = id.split('/')
  if (!families.includes(family) || !/^[A-Za-z0-9][\w.+-]*$/.test(name)) {
    return {
      problem: `Name a family and a program: npm run new program <family>/<name>\nFamilies: ${families.join(', ')}`,
    }
  }
  const known = fileOf(name, families, repository)
  if (known !== undefined) return { problem: `${name} is a known program: ${known}. Change it there.` }
  const folder = `${PROGRAMS}/${family}`
  const index = textOf(repository, `${folder}/index.ts`)
  const constant = constantFor(name, 'program')
  const withSpread = index.replace(/\n\}\s*$/, `\n  ...${constant},\n}\n`)
  return {
    files: {
      [`${folder}/${name}.ts`]: specification(name, constant),
      [`${folder}/${name}.cases.ts`]: cases(name),
      [`${folder}/index.ts`]: `import { ${constant} } from './${name}.ts'\n${withSpread}`,
    },
    next: [
      `1. Write in ${folder}/${name}.cases.ts what ${name} does, harmless commands too.`,
      `2. Say it in ${folder}/${name}.ts; ${PROGRAMS}/program.ts lists what can be said.`,
      `3. Run: npm test -- ${family}/${name}`,
    ],
  }
}

/**
 * The file in which a program is specified, by any of its names.
 * @param {string} name
 * @param {readonly string[]} families
 * @param {import('./kinds.mjs').RepositoryFiles} repository
 */
function fileOf(name, families, { read, list }) {
  const escaped = name.replace(/[.+]/g, '\\$&')
  const key = new RegExp(
    `(?:^\\s*|program\\()(?:'(?:[^'\\n]* )?${escaped}(?: [^'\\n]*)?'|${escaped})\\s*[:,]`,
    'm',
  )
  return families
    .flatMap((family) => list(`${PROGRAMS}/${family}`).map((file) => `${PROGRAMS}/${family}/${file}`))
    .filter((path) => path.endsWith('.ts') && !/\.(?:cases|test)\.ts$/.test(path))
    .find((path) => path.endsWith(`/${name}.ts`) || key.test(read(path) ?? ''))
}

/**
 * @param {string} name
 * @param {string} constant
 */
function specification(name, constant) {
  return `import { program } from '../program.ts'

export const ${constant} = program('${name}', {
  files: { operands: 'read' },
})
`
}

/** @param {string} name */
function cases(name) {
  return `import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['${name} a.txt', 'read /srv/project/a.txt'],
  ['${name} --version'],
]
`
}

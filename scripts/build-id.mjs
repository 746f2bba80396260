// What dist/ is built from, in one place for the build and for `npm start`.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Version and hash of the code, built into every program: a daemon of another build is replaced. */
export function buildId(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const code = ['src', 'bin']
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => file.endsWith('.ts'))
  const texts = code.sort().map((file) => readFileSync(join(root, file), 'utf8'))
  return `${version}+${createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12)}`
}

/** Everything else that affects the output of the build. */
const OTHER_SOURCES = [
  'native',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** Next to the output of the build, and removed with it when the next build starts. */
const NOTE = join('build', 'built-from')

/** Notes that dist/ is complete, and what it was built from. */
export function noteBuilt(root) {
  mkdirSync(join(root, dirname(NOTE)), { recursive: true })
  writeFileSync(join(root, NOTE), `${sourcesId(root)}\n`)
}

/** Whether a build finished, and none of its sources has changed since. */
export function isBuilt(root) {
  const note = join(root, NOTE)
  if (!existsSync(note) || !existsSync(join(root, 'dist', 'holdpoint.cjs'))) return false
  return readFileSync(note, 'utf8').trim() === sourcesId(root)
}

function sourcesId(root) {
  const hash = createHash('sha256').update(buildId(root))
  for (const source of OTHER_SOURCES) {
    for (const file of filesBelow(root, source).sort()) {
      hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
    }
  }
  return hash.digest('hex')
}

function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, join(path, name)))
}

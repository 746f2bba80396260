// Adds optional packages of other platforms to package-lock.json again. npm leaves them out if the registry
// it used does not have them, and then `npm ci` refuses the lock file everywhere. Run it after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, '..', process.argv[2] ?? '.', 'package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8'))
const OS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const CPU = 'arm64 arm ia32 loong64 mips64el ppc64 riscv64 s390x x64 wasm32'.split(' ')

for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] !== undefined || !/^\d/.test(version)) continue
    const words = name.slice(name.lastIndexOf('/') + 1).split('-')
    const os = words.filter((word) => OS.includes(word))
    const cpu = words.filter((word) => CPU.includes(word))
    const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}
    if (os.length === 0 && cpu.length === 0) throw new Error(`${name}: for which platform?`)
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu.length === 0 ? {} : { cpu }),
      ...(entry.dev ? { dev: true } : {}),
      ...libc,
      optional: true,
      ...(os.length === 0 ? {} : { os }),
    }
  }
}
// In the order of npm, so that nothing moves.
const names = Object.keys(lock.packages).sort((one, other) => one.localeCompare(other, 'en'))
lock.packages = Object.fromEntries(names.map((name) => [name, lock.packages[name]]))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)

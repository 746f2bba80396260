// Writes the npm packages that carry the native client, one folder per platform:
//   node scripts/pack-native.mjs <folder>               all four
//   node scripts/pack-native.mjs <folder> --only-built  only those whose program can be built here
//   node scripts/pack-native.mjs <folder> --tarballs    those, packed by `npm pack` into <folder>; prints the tarballs
// A package whose program cannot be built here is written without it, and `npm publish` refuses to publish it.
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { buildNative } from './build-native.mjs'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const PROGRAM = 'holdpoint-hook'

const NOT_RUN =
  'Not tested: the source is written for this platform, but the program has never been run on it.'

/** @typedef {{ readonly os: string, readonly cpu: string, readonly tested: string }} Platform */
/** @typedef {{ readonly version: string, readonly license: string, readonly repository?: unknown }} RootManifest */

/** @type {readonly Platform[]} */
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', tested: 'The tests in `test/native` run this program.' },
  {
    os: 'linux',
    cpu: 'arm64',
    tested:
      'The tests in `test/native` run this program under qemu-user. It has not been run on arm64 hardware.',
  },
  { os: 'darwin', cpu: 'x64', tested: NOT_RUN },
  { os: 'darwin', cpu: 'arm64', tested: NOT_RUN },
]

/**
 * The packages that were written.
 *
 * @example await packNative('packages', { onlyBuilt: true })
 * @param {string} folder
 * @param {{ readonly onlyBuilt?: boolean }} [options]
 */
export async function packNative(folder, { onlyBuilt = false } = {}) {
  const root = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const packages = await Promise.all(PLATFORMS.map((platform) => packPlatform(platform, folder, root)))
  if (!onlyBuilt) return packages
  await Promise.all(
    packages.filter((one) => !one.hasProgram).map((one) => rm(one.folder, { recursive: true })),
  )
  return packages.filter((one) => one.hasProgram)
}

/**
 * The tarballs of all packages whose program can be built here, as `npm publish` would upload them.
 *
 * @example const [linuxX64] = await packTarballs('packages')
 * @param {string} folder
 */
export async function packTarballs(folder) {
  const packages = await packNative(folder, { onlyBuilt: true })
  return Promise.all(packages.map((one) => packTarball(one.folder, folder)))
}

/**
 * @param {string} folder
 * @param {string} destination
 */
async function packTarball(folder, destination) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination]
  const { stdout } = await run('npm', args, { cwd: folder })
  return join(destination, stdout.trim())
}

/**
 * @param {Platform} platform
 * @param {string} folder
 * @param {RootManifest} root
 */
async function packPlatform(platform, folder, root) {
  const { os, cpu } = platform
  const name = `@holdpoint/client-${os}-${cpu}`
  const target = join(folder, `client-${os}-${cpu}`)
  await mkdir(target, { recursive: true })
  const program = await buildNative({ outFile: join(target, PROGRAM), target: `${os}-${cpu}` })
  const hasProgram = program !== undefined
  // Independent of the umask: npm keeps the mode of a file.
  if (program !== undefined) await chmod(program, 0o755)
  const text = JSON.stringify(clientManifest(name, platform, root, hasProgram), null, 2)
  await Promise.all([
    writeFile(join(target, 'package.json'), `${text}\n`),
    writeFile(join(target, 'README.md'), readme(name, platform, hasProgram)),
    copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE')),
  ])
  return { name, folder: target, hasProgram }
}

/** The script prints the reason, also in a dry run; `private` also works with `--ignore-scripts`. */
const UNPUBLISHABLE = {
  private: true,
  scripts: { prepublishOnly: `echo "${PROGRAM} is missing: see README.md" >&2 && exit 1` },
}

/**
 * The package.json of a client. There is no `libc` field: the Linux programs are static and run with every libc. The
 * `repository` is that of `holdpoint`: npm rejects provenance for a package that names another one.
 *
 * @example clientManifest('@holdpoint/client-linux-x64', { os: 'linux', cpu: 'x64' }, rootManifest, true)
 * @param {string} name
 * @param {Pick<Platform, 'os' | 'cpu'>} platform
 * @param {RootManifest} root
 * @param {boolean} hasProgram
 */
export function clientManifest(name, { os, cpu }, { version, license, repository }, hasProgram) {
  return {
    name,
    version,
    ...(hasProgram ? {} : UNPUBLISHABLE),
    description: `The native hook client of Holdpoint for ${os} on ${cpu}`,
    license,
    ...(repository === undefined ? {} : { repository }),
    os: [os],
    cpu: [cpu],
    files: [PROGRAM],
    preferUnplugged: true,
    publishConfig: { access: 'public' },
  }
}

/**
 * @param {string} name
 * @param {Platform} platform
 * @param {boolean} hasProgram
 */
function readme(name, { os, cpu, tested }, hasProgram) {
  const paragraphs = [
    [`# ${name}`],
    [
      `\`${PROGRAM}\` for ${os} on ${cpu}. The package \`holdpoint\` installs and uses it;`,
      'there is nothing to run by hand.',
    ],
    [tested],
    hasProgram
      ? []
      : [
          'The program is not in this folder, because it could not be built on the machine that wrote the folder.',
          '`npm publish` refuses to publish this package.',
          `Run \`node scripts/pack-native.mjs <folder>\` on ${os} ${cpu} to complete it.`,
        ],
  ]
  const written = paragraphs.filter((lines) => lines.length > 0)
  return `${written.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'only-built': { type: 'boolean' }, tarballs: { type: 'boolean' } },
  })
  const [folder] = positionals
  if (folder === undefined) {
    console.error('Name a folder: node scripts/pack-native.mjs <folder> [--only-built | --tarballs]')
    process.exit(2)
  }
  if (values.tarballs) {
    for (const tarball of await packTarballs(resolve(folder))) console.log(tarball)
  } else {
    for (const one of await packNative(resolve(folder), { onlyBuilt: values['only-built'] === true })) {
      console.log(`${one.folder}${one.hasProgram ? '' : ' (without its program: npm refuses to publish it)'}`)
    }
  }
}

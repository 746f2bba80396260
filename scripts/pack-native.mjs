// Writes the optional npm packages that carry the native client, one folder a platform:
//   node scripts/pack-native.mjs <folder>
// A program is built only for the machine this runs on; the others are written without it and say so, to be completed
// by running this on such a machine. A package without its program must not be published.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buildNative } from './build-native.mjs'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = 'holdpoint-hook'

/** `tested`: the suite in test/native has run there. */
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', tested: true },
  { os: 'linux', cpu: 'arm64', tested: false },
  { os: 'darwin', cpu: 'x64', tested: false },
  { os: 'darwin', cpu: 'arm64', tested: false },
]

/** What was written, and which of it holds a program. */
export async function packNative(folder) {
  const { version, license } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return Promise.all(PLATFORMS.map((platform) => packPlatform(platform, folder, { version, license })))
}

async function packPlatform(platform, folder, root) {
  const { os, cpu } = platform
  const target = join(folder, `client-${os}-${cpu}`)
  await mkdir(target, { recursive: true })
  const isHere = process.platform === os && process.arch === cpu
  const built = isHere ? await buildNative({ outFile: join(target, PROGRAM) }) : undefined
  await Promise.all([
    writeFile(join(target, 'package.json'), `${JSON.stringify(manifest(platform, root), null, 2)}\n`),
    writeFile(join(target, 'README.md'), readme(platform, built !== undefined)),
    copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE')),
  ])
  return { folder: target, hasProgram: built !== undefined }
}

/** No `libc`: the Linux program is static. */
function manifest({ os, cpu }, { version, license }) {
  return {
    name: `@holdpoint/client-${os}-${cpu}`,
    version,
    description: `The native hook client of Holdpoint for ${os} on ${cpu}`,
    license,
    os: [os],
    cpu: [cpu],
    files: [PROGRAM],
    preferUnplugged: true,
  }
}

function readme({ os, cpu, tested }, hasProgram) {
  const lines = [
    `# @holdpoint/client-${os}-${cpu}`,
    `\`${PROGRAM}\` for ${os} on ${cpu}. Installed by \`holdpoint\` where it fits; nothing to use by hand.`,
    ...(tested ? [] : ['Not run yet: the source is written for this platform, and its tests wait for one.']),
    ...(hasProgram
      ? []
      : ['The program is not in this folder: run `scripts/pack-native.mjs` on that platform.']),
  ]
  return `${lines.join('\n\n')}\n`
}

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) {
    console.error('Name a folder: node scripts/pack-native.mjs <folder>')
    process.exit(2)
  }
  for (const { folder: written, hasProgram } of await packNative(resolve(folder))) {
    console.log(`${written}${hasProgram ? '' : ' (without its program)'}`)
  }
}

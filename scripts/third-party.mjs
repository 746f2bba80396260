// The licences of the bundled packages, which must be distributed with their code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One block for each package that esbuild has put into any of the files.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 */
export function thirdPartyNotices(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const names = inputs.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
  const blocks = [...new Set(names)].sort().map((name) => {
    const folder = join('node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  })
  return `Holdpoint contains code of these packages.\n\n${blocks.join('\n----\n\n')}`
}

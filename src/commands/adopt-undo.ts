import { rmSync } from 'node:fs'
import { joinSettings } from '../adopt/split-settings.ts'
import { withoutImport } from '../adopt/with-import.ts'
import { dropAdoption, readAdoption } from '../world/adoptions.ts'
import { readSettings, writeSettings } from '../world/settings-file.ts'
import { contentHash, readTrust, writeTrust } from '../world/trust.ts'
import { type AdoptPlaces, failure, must, parseObject, restore } from './adopt-places.ts'

/**
 * Gives adopted hooks back: the first text where nobody changed the file since, else at the end of each event's
 * list. The settings get them first: in between, hooks run twice rather than never.
 */
export function undoAdoption(where: AdoptPlaces): void {
  const adopted = must(readSettings(where.adopted), where.adopted)
  if (adopted === undefined) {
    const message = `Nothing was adopted from ${where.settings}.`
    throw failure({ code: 'CONFIG_UNREADABLE', message, file: where.adopted, fix: 'Choose another --scope.' })
  }
  const record = readAdoption(where.home, where.settings)
  const text = must(readSettings(where.settings), where.settings)
  const isSame = record?.before !== undefined && record.after === text && record.adopted === adopted
  const after = isSame ? record.before : givenBack(text, adopted, record, where)
  if (after !== text) must(writeSettings(where.settings, text, after ?? ''), where.settings)
  takeImportOut(where, record)
  rmSync(where.adopted, { force: true })
  dropAdoption(where.home, where.settings)
  const how = isSame ? 'as it was' : 'at the end of each list, because the file has changed since'
  process.stdout.write(`The hooks are back in ${where.settings}, ${how}.\n`)
}

function givenBack(
  text: string | undefined,
  adopted: string,
  record: ReturnType<typeof readAdoption>,
  where: AdoptPlaces,
): string {
  // What nobody touched goes back as it was taken, without what --closed added.
  const taken = record?.adopted === adopted ? record.taken : parseObject(adopted)
  return must(joinSettings(text, taken), where.settings)
}

function takeImportOut(where: AdoptPlaces, record: ReturnType<typeof readAdoption>): void {
  const config = must(readSettings(where.config), where.config)
  if (config === undefined) return
  const after =
    record?.configAfter === config
      ? record.configBefore
      : must(withoutImport(config, where.importName), where.config)
  if (after === config) return
  restore(where.config, after)
  if (where.scope === 'user') return
  const trust = readTrust(where.home.trust)
  // A file that was vouched for stays so; what it lost is only what adopting had added.
  const wasTrusted = trust.get(where.config) === contentHash(config)
  const kept = new Map([...trust].filter(([path]) => path !== where.adopted && path !== where.config))
  if (wasTrusted && after !== undefined) kept.set(where.config, contentHash(after))
  writeTrust(where.home.trust, kept)
}

import { rmSync } from 'node:fs'
import { dropAdoption, readAdoption } from '../system/adoptions.ts'
import { readSettings, writeSettings } from '../system/settings-file.ts'
import { contentHash } from '../system/trust.ts'
import { addTrust, readTrust, removeTrust } from '../system/trust-file.ts'
import { joinSettings } from '../tools/adopt/split-settings.ts'
import { withoutImport } from '../tools/adopt/with-import.ts'
import { type AdoptPlaces, failure, parseObject, restoreText, unwrapFor } from './adopt-places.ts'
import type { Caller } from './caller.ts'
import { isPersonHere, type Person, personSigner } from './person.ts'
import { recordPerson } from './person-record.ts'

/**
 * Moves adopted hooks back into the settings. If the settings file has not changed since, it gets its first
 * text back; otherwise the hooks go to the end of each event's list. The settings are written first: if this
 * is interrupted, hooks run twice instead of not at all.
 */
export async function undoAdoption(caller: Caller, where: AdoptPlaces, person: Person): Promise<void> {
  const adopted = unwrapFor(readSettings(where.adopted), where.adopted)
  if (adopted === undefined) {
    const message = `No hooks were adopted from ${where.settings}.`
    throw failure({ code: 'CONFIG_UNREADABLE', message, file: where.adopted, fix: 'Choose another --scope.' })
  }
  const record = readAdoption(where.home, where.settings)
  const text = unwrapFor(readSettings(where.settings), where.settings)
  const isSame = record?.before !== undefined && record.after === text && record.adopted === adopted
  const after = isSame ? record.before : givenBack(text, adopted, record, where)
  if (after !== text) unwrapFor(writeSettings(where.settings, text, after ?? ''), where.settings)
  await takeImportOut(caller, where, record, person)
  rmSync(where.adopted, { force: true })
  dropAdoption(where.home, where.settings)
  const how = isSame
    ? 'exactly as they were'
    : 'at the end of each list, because the file has changed since then'
  caller.stdout.write(`The hooks are back in ${where.settings}, ${how}.\n`)
}

function givenBack(
  text: string | undefined,
  adopted: string,
  record: ReturnType<typeof readAdoption>,
  where: AdoptPlaces,
): string {
  // An adopted file that was not edited is restored as it was taken, without what --closed added.
  const taken = record?.adopted === adopted ? record.taken : parseObject(adopted)
  return unwrapFor(joinSettings(text, taken), where.settings)
}

async function takeImportOut(
  caller: Caller,
  where: AdoptPlaces,
  record: ReturnType<typeof readAdoption>,
  person: Person,
): Promise<void> {
  const config = unwrapFor(readSettings(where.config), where.config)
  if (config === undefined) return
  const after =
    record?.configAfter === config
      ? record.configBefore
      : unwrapFor(withoutImport(config, where.importName), where.config)
  if (after === config) return
  restoreText(where.config, after)
  if (where.scope === 'user') return
  const trust = readTrust(where.home)
  // A trusted configuration stays trusted: it only loses the import that `adopt` had added.
  const wasTrusted = trust.get(where.config) === contentHash(config)
  removeTrust(where.home, (path) => path === where.adopted || path === where.config)
  if (!wasTrusted || after === undefined) return
  if (isPersonHere(caller, where.home)) {
    addTrust(
      where.home,
      new Map([[where.config, contentHash(after)]]),
      await personSigner(caller, where.home, person),
    )
    recordPerson(caller, where.home, 'Trust', `adopt --undo trusts ${where.config}`)
  } else caller.stdout.write(`Run \`holdpoint trust\` in a terminal to trust ${where.config} again.\n`)
}

import type { ProgramTable } from '../program.ts'
import { cp, ditto, link } from './cp.ts'
import { dd } from './dd.ts'
import { fd, find } from './find.ts'
import { INSPECTING } from './inspect.ts'
import { install } from './install.ts'
import { ln } from './ln.ts'
import { mv } from './mv.ts'
import { mmv, prename, rename } from './rename.ts'
import { del, rimraf } from './rimraf.ts'
import { rm } from './rm.ts'
import { rmdir, unlink } from './rmdir.ts'
import { shred, srm, wipe } from './shred.ts'
import { shx } from './shx.ts'
import { split } from './split.ts'
import { sponge, tee } from './tee.ts'
import { gio, trash, trashPut } from './trash.ts'
import { touch, truncate } from './truncate.ts'

/** Programs that delete, move, copy, write and find files. */
export const FILES: ProgramTable = {
  ...rm,
  ...rmdir,
  ...unlink,
  ...rimraf,
  ...del,
  ...shred,
  ...srm,
  ...wipe,
  ...trash,
  ...trashPut,
  ...gio,
  ...mv,
  ...cp,
  ...ditto,
  ...link,
  ...ln,
  ...install,
  ...rename,
  ...prename,
  ...mmv,
  ...tee,
  ...sponge,
  ...dd,
  ...touch,
  ...truncate,
  ...split,
  ...shx,
  ...find,
  ...fd,
  ...INSPECTING,
}

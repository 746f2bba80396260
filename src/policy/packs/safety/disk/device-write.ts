import type { GuardMatch } from '../../../../core/guard.ts'
import { mayMatch } from '../../../../shell/words/patterns.ts'
import type { Form } from '../../../../shell/words/words.ts'
import { caughtEffect } from '../../../analysis/effects-of.ts'
import { actsIn, detector, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { changesIn, type FileChangeTarget } from '../files/changes-in.ts'
import { runsOn } from '../files/targets.ts'

/** Writing to a disk without its file system, or to the memory of the machine, by any program. */
export const deviceWrite = shellGuard({
  id: 'safety/disk/device-write',
  title: 'Writing directly to a device',
  why: 'It overwrites the file systems on the disk, and everything on it is lost at once.',
  instead:
    'write to an image file (`dd if=/dev/zero of=disk.img bs=1M count=64`) and let the user copy it to a disk.',
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'dd if=/dev/zero of=/dev/sda bs=1M',
      'dd of=/dev/sda',
      'dd if=image.iso of=/dev/disk2',
      'dd if=/dev/zero of=/dev/mem',
      'cat image.iso > /dev/sdb',
      'echo x > /dev/nvme0n1',
      'echo test | tee /dev/sda',
      'cp /tmp/disk.img /dev/nvme0n1',
      'mv disk.img /dev/vda',
      'shred /dev/vda',
      'shred -n 1 -v /dev/sda1',
      'pv image.iso > /dev/mmcblk0',
      'cd /dev && cat /tmp/x > sda',
      'dd if=x of=/dev/mapper/vg-data',
      'cat x > /dev/disk/by-id/ata-x',
      'truncate -s 0 /dev/sda',
      'dd if=/dev/zero of=/dev/sd$X',
      'dcfldd if=a.img of=/dev/sdb',
      'dd if=/dev/zero of="$TARGET" bs=1M',
      'mknod /tmp/disk b 8 0',
      'echo b > /proc/sysrq-trigger',
      { tool: 'Write', input: { file_path: '/dev/sda', content: 'x' } },
      'cat x > /dev/sda "',
    ],
    passes: [
      'dd if=/dev/zero of=disk.img bs=1M count=1',
      'dd if=/dev/sda of=backup.img',
      'dd if=/dev/urandom of=/dev/null count=1',
      'make > /dev/null 2>&1',
      'echo x > /dev/stderr',
      'echo x > /dev/tty',
      'echo x > /dev/tcp/127.0.0.1/80',
      'echo x > /dev/shm/x',
      'echo x > /dev/fd/3',
      'echo test | tee --output-error=warn /dev/stderr',
      'echo AT > /dev/ttyUSB0',
      'lsblk /dev/sda',
      'head -c 512 /dev/sda > mbr.bin',
      'mknod /tmp/pipe p',
      'cp /dev/null empty.txt',
      { tool: 'Write', input: { file_path: 'docs/dev/sda.md', content: '/dev/sda' } },
    ],
  },
  mentions: /\/dev\/(sd|hd|vd|nvme|disk|mmcblk|mapper|mem)/,
  maybe: 'may write directly to a device',
  detectors: [
    detector(changesIn, judge),
    detector(actsIn(['disk/make-device']), (found, { facts }) =>
      caughtEffect(found, found.effect.what, facts.home),
    ),
  ],
})

function judge(change: FileChangeTarget): GuardMatch | null {
  if (change.command !== undefined && runsOn(change.command) === 'a container') return null
  return strongest(change.targets, ({ paths, pattern, unsure }) => {
    if (paths.length === 0 && pattern.length === 0 && COPIERS.test(change.command?.name ?? '')) {
      return change.caught('may write directly to a device', unsure)
    }
    const path = paths.find((each) => DEVICE.test(each)) ?? matchedDevice(paths, pattern)
    return path === undefined
      ? null
      : change.caught(`writes directly to ${path}`, DEVICE.test(path) ? undefined : unsure)
  })
}

/** Programs that are used for disks more often than for files. */
const COPIERS = /^(dd|dcfldd|dc3dd|ddrescue)$/

const DEVICE =
  /^\/dev\/(r?disk\d|[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|md\d|md\/|dm-\d|mapper\/.|disk\/.|sr\d|nbd\d|zd\d|zvol\/|bcache\d|mtd|pmem\d|rbd\d|drbd\d|sg\d|n?st\d|k?mem$|port$|nvram$|vg\w*\/|block\/)|^\/proc\/(sysrq-trigger|kcore|kmem)$/

/** Disks that a pattern may match. */
const USUAL = ['sda', 'sdb', 'vda', 'nvme0n1', 'mmcblk0', 'disk2', 'hda']

function matchedDevice(paths: readonly string[], pattern: readonly Form[]): string | undefined {
  const [only] = pattern
  if (only === undefined || pattern.length > 1 || !paths.includes('/dev')) return undefined
  const name = USUAL.find((each) => mayMatch(only, each))
  return name === undefined ? undefined : `/dev/${name}`
}

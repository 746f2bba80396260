import { actGuard } from '../../act-guard.ts'

export const remount = actGuard({
  id: 'safety/disk/mount',
  title: 'Mounting over an existing folder',
  why: 'It changes the files that every program on the machine sees in that folder.',
  instead: 'mount into a new, empty folder (`mount -o loop image.iso /mnt/image`), or let the user do it.',
  acts: ['disk/mount'],
  mentions: /\bmount\b/,
  maybe: 'may change how a file system is mounted',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'mount -o remount,rw /',
      'mount -o rw,remount /boot',
      'mount --bind /etc /mnt/x',
      'mount -o bind /a /b',
      'mount --rbind / /mnt/root',
      'mount -B /a /b',
      'mount --move /a /b',
      'sudo mount -oremount /',
    ],
    passes: [
      'mount',
      'mount -l',
      'mount | grep ext4',
      'mount -o loop image.iso /mnt/image',
      'mount /dev/sdb1 /mnt/usb',
      'umount /mnt/usb',
      'findmnt /',
      'echo mount --bind',
    ],
  },
})

import { actGuard } from '../../act-guard.ts'

export const deleteSchedule = actGuard({
  id: 'safety/system/delete-schedule',
  title: 'Deleting planned jobs',
  why: 'A deleted crontab has no copy, and backups or renewals silently stop.',
  instead: 'save it first with `crontab -l > crontab.bak`, and ask the person to take single lines out.',
  acts: ['scheduling/remove'],
  mentions: /\b(crontab|atrm|schtasks)\b/,
  maybe: 'may delete planned jobs',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'crontab -r',
      'crontab -u dev -r',
      'crontab -ri',
      'crontab -i -r',
      'crontab "-r"',
      'F=-r; crontab $F',
      'atrm 7',
      'at -d 7',
      'schtasks /Delete /TN job /F',
    ],
    passes: [
      'crontab -l',
      'crontab -l > crontab.bak',
      'crontab -u root -l',
      'crontab --help',
      'atq',
      'at -l',
      'schtasks /Query /TN job',
      'systemctl list-timers',
      'rm -f build/crontab.txt',
    ],
  },
})

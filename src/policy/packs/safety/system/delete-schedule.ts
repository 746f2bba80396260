import { actGuard } from '../../act-guard.ts'

export const deleteSchedule = actGuard({
  id: 'safety/system/delete-schedule',
  title: 'Deleting scheduled jobs',
  why: 'A deleted crontab cannot be restored, and backups or certificate renewals stop without a message.',
  instead: 'save it first with `crontab -l > crontab.bak`, and let the user remove single lines.',
  acts: ['scheduling/remove'],
  mentions: /\b(crontab|atrm|schtasks)\b/,
  maybe: 'may delete scheduled jobs',
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

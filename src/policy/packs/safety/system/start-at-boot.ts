import { actGuard } from '../../act-guard.ts'

export const startAtBoot = actGuard({
  id: 'safety/system/start-at-boot',
  title: 'Starting a service at every boot',
  why: 'The service will run every time the machine starts, even after this session has ended.',
  instead: 'start it once (`systemctl start app`), and let the user decide whether it should start at boot.',
  acts: ['system/start-at-boot'],
  mentions: /\b(systemctl|update-rc\.d|chkconfig|rc-update)\b/,
  maybe: 'may start a service at every boot',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'systemctl enable nginx',
      'systemctl enable --now docker',
      'systemctl set-default multi-user.target',
      'systemctl reenable nginx',
      'systemctl link /srv/project/app.service',
      'systemctl add-wants multi-user.target app.service',
      'rc-update add nginx default',
      'chkconfig nginx on',
      'update-rc.d nginx defaults',
    ],
    passes: [
      'systemctl is-enabled nginx',
      'systemctl start nginx',
      'systemctl restart nginx',
      'systemctl --user enable app',
      'systemctl list-unit-files',
      'systemctl daemon-reload',
      'systemctl cat nginx',
      'rc-update show',
      'chkconfig --list',
    ],
  },
})

import { actGuard } from '../../act-guard.ts'

export const startAtBoot = actGuard({
  id: 'safety/system/start-at-boot',
  title: 'Making a service start by itself',
  why: 'It will run at every start of the machine, long after this session.',
  instead: 'start it once (`systemctl start app`), and let the person decide whether it should stay.',
  acts: ['system/start-at-boot'],
  mentions: /\b(systemctl|update-rc\.d|chkconfig|rc-update)\b/,
  maybe: 'may make a service start by itself',
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

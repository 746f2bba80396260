import { actGuard } from '../../act-guard.ts'

export const remoteCommand = actGuard({
  id: 'safety/remote/remote-command',
  title: 'Deleting or stopping something on many machines',
  why: 'One command runs on every machine in the list, and no machine asks for confirmation.',
  instead:
    'test it with `ansible all -m ping` or `ansible-playbook site.yml --check`, and let the user run it.',
  acts: ['infrastructure/remote-command'],
  mentions: /\b(ansible|salt)\b/,
  maybe: 'may delete or stop something on many machines',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      "ansible all -m shell -a 'rm -rf /srv/data'",
      'ansible web -b -a reboot',
      "ansible web -b -m command -a 'systemctl stop nginx'",
      "ansible all -m file -a 'path=/srv/data state=absent'",
      'ansible web -m service -a "name=nginx state=stopped"',
      "ansible db -i hosts -m raw -a 'dd if=/dev/zero of=/dev/sda'",
      "ansible all --module-name=shell --args='pkill -9 node'",
      "salt '*' cmd.run 'rm -rf /srv/data'",
      "salt 'web*' cmd.run 'shutdown -h now'",
    ],
    passes: [
      'ansible all -m ping',
      'ansible all -m shell -a uptime',
      "ansible web -a 'df -h'",
      'ansible web -m service -a "name=nginx state=started"',
      "ansible all -m shell -a 'rm -rf /srv/data' --check",
      'ansible-playbook site.yml --check',
      'ansible-inventory --list',
      "salt '*' test.ping",
      "salt '*' cmd.run 'uptime'",
    ],
  },
})

import { actGuard } from '../../act-guard.ts'

export const playbook = actGuard({
  id: 'safety/remote/playbook',
  title: 'Changing other machines with a playbook',
  why: 'A playbook changes many machines at once, and the command does not show what it changes.',
  instead: 'show what it would change with `ansible-playbook site.yml --check --diff` first.',
  acts: ['infrastructure/playbook'],
  mentions: /\bansible/,
  maybe: 'may change other machines',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'ansible-playbook site.yml',
      'ansible-playbook -i hosts.ini site.yml --limit web',
      'ansible-playbook --become site.yml',
      'ansible all -m shell -a uptime',
      'ansible web -b -m service -a "name=nginx state=restarted"',
      'ansible all -i hosts -a uptime',
      'ansible-playbook -e version=2 deploy.yml',
      'ansible all -m file -a "path=/srv/x state=directory"',
    ],
    passes: [
      'ansible-playbook site.yml --check',
      'ansible-playbook -C site.yml',
      'ansible-playbook site.yml --syntax-check',
      'ansible-playbook site.yml --list-tasks',
      'ansible all -m ping',
      'ansible all -m setup',
      'ansible --version',
      'ansible all --list-hosts',
      'ansible-lint site.yml',
      'ansible-galaxy role list',
    ],
  },
})

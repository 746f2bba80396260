import { isLikelySecret } from '../../analysis/secret-path.ts'
import type { Touch } from '../../analysis/touched-paths.ts'
import { secretGuard } from './secret-guard.ts'

/** Files that often contain secrets. Only a person knows whether this one does. */
export const likelyFile = secretGuard({
  id: 'secrets/likely-file',
  title: 'File that often contains secrets',
  why: 'Shell histories, infrastructure state and files named secrets often contain passwords in plain text. Everything that an agent reads is sent to its model.',
  instead:
    'ask for the one piece of information you need from the file. For Terraform, `terraform state list` lists the resources.',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'Read', input: { file_path: '/home/dev/.bash_history' } },
      { tool: 'Read', input: { file_path: 'infra/terraform.tfstate' } },
      { tool: 'Grep', input: { pattern: 'password', path: 'config/secrets.yml' } },
      { tool: 'mcp__fs__read_file', input: { path: 'credentials.json' } },
      'cat ~/.bash_history',
      'tail -n 100 ~/.zsh_history',
      'grep -i token ~/.local/share/fish/fish_history',
      'cat terraform.tfstate',
      'jq .resources infra/prod.tfstate',
      'cat config/secrets.yml',
      'cat credentials.json token.json',
      'cat deploy/prod.env',
      'cat ~/.psql_history',
      'cat ~/.bash_history "',
    ],
    passes: [
      { tool: 'Read', input: { file_path: 'src/secrets.ts' } },
      { tool: 'Read', input: { file_path: 'test/fixtures/secrets.yml' } },
      'terraform state list',
      'cat .terraform.lock.hcl main.tf',
      'history | tail -n 20',
      'ls -la ~/.bash_history',
      'kubectl apply -f k8s/secret.yaml',
      'helm upgrade app chart -f secrets.yaml',
      'cat design/tokens.json',
      'git log --oneline -- config/secrets.yml',
      'cat docs/secrets.md',
      'echo "*.tfstate" >> .gitignore',
    ],
  },
  isSecret: (touch, home) => isLikelySecret(touch.path, home),
  act: (touch: Touch) => (touch.access === 'read' ? { caught: `reads ${touch.source}` } : null),
  mentions: /_history\b|\.tfstate\b|secrets?\.(?:ya?ml|json)|credentials\.json/i,
})

import type { Find, SourcePlaces } from '../source.ts'

/**
 * Skills, agents and slash commands of the project and of the user. Claude Code runs these hooks too, but loses the
 * hooks of a skill when a session is resumed and never runs them in a fork, so they run on every host.
 */
export function finds({ project, home }: SourcePlaces): readonly Find[] {
  return [
    ...below(`${project}/.claude`, project),
    { folder: `${project}/core/skills`, name: '*/SKILL.md', rank: 'frontmatter', root: project },
    ...below(`${home}/.claude`, home),
  ]
}

function below(folder: string, root: string): readonly Find[] {
  const at = (name: string, files: string): Find => {
    return { folder: `${folder}/${name}`, name: files, rank: 'frontmatter', root }
  }
  return [at('skills', '*/SKILL.md'), at('agents', '**/*.md'), at('commands', '**/*.md')]
}

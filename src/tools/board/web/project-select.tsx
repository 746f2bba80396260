import type { JSX } from 'preact'
import { folderName } from './format.ts'
import { hello, project } from './hello.ts'
import { Select } from './parts.tsx'

/** Which project a page is about. Folders with the same name are told apart by their path. */
export function ProjectSelect(): JSX.Element {
  const { projects } = hello.value
  const names = projects.map(folderName)
  const words = (path: string) =>
    names.filter((name) => name === folderName(path)).length > 1 ? path : folderName(path)
  return (
    <Select
      label="Project"
      value={project.value}
      options={projects.map((each) => [each, words(each)] as const)}
      onChange={(value) => {
        project.value = value
      }}
    />
  )
}

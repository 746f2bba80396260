// A result of an MCP tool is an object with a list of contents. What is returned as `output` stands in its place.
export const maskTokens = ({ output }) => ({
  effect: 'pass',
  output: {
    ...output,
    content: output.content.map((part) =>
      part.type === 'text' ? { ...part, text: part.text.replace(/token: \S+/, 'token: [masked]') } : part,
    ),
  },
})

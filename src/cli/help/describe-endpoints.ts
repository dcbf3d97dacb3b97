import type { Endpoint, Who } from '../../rest/endpoint.ts'
import { ENDPOINTS } from '../../rest/endpoints.ts'

const NEEDS: Readonly<Record<Who, string>> = {
  all: '',
  user: ' (token)',
  password: ' (password)',
  scope: ' (token of the directory)',
  signature: ' (signed address)',
}

/** Every endpoint with what it answers and who may call it. */
export const describeEndpoints = (): string =>
  (ENDPOINTS as readonly Endpoint[])
    .map(({ method, path, summary, who }) => `${method} ${path}\n    ${summary}${NEEDS[who]}`)
    .join('\n')

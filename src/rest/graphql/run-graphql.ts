import { readFileSync } from 'node:fs'
import type {
  ASTNode,
  ASTVisitor,
  DocumentNode,
  ExecutionResult,
  FieldNode,
  GraphQLError,
  GraphQLSchema,
  ValidationContext,
} from 'graphql'
import { loadOptional } from '../../base/optional-package.ts'
import type { JsonObject } from '../../records/json/json.ts'

/** A request as a body has it. */
export interface GraphqlRequest {
  readonly query: string
  readonly variables: JsonObject
  readonly operationName: string | undefined
}

/** The functions that answer the fields of `Query` and `Mutation`, by their names. */
// biome-ignore lint/suspicious/noExplicitAny: each field has arguments of its own, which the schema checks
export type Root = Readonly<Record<string, (input: any) => unknown>>

type FaultType = 'NOT_FOUND' | 'FORBIDDEN' | 'INSUFFICIENT_SCOPES' | 'UNPROCESSABLE' | 'RATE_LIMIT'

/** A fault that the answer tells to the caller. */
export class GraphqlFault extends Error {
  override readonly name = 'GraphqlFault'
  readonly type: string

  constructor(type: FaultType, message: string) {
    super(message)
    this.type = type
  }
}

type Library = typeof import('graphql')

/** Tokens of a document: those of the importer's client have 150 at most. */
const MOST_TOKENS = 2_000
/** Levels of fields. */
const DEEPEST = 15
const MOST_ERRORS = 10

let known: { library: Library; schema: GraphQLSchema } | undefined

/**
 * Loads the package `graphql` and the schema.
 *
 * @throws `package-missing`
 */
export function loadGraphql(): { library: Library; schema: GraphQLSchema } {
  if (!known) {
    const library = loadOptional<Library>('graphql')
    const sdl = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
    known = { library, schema: library.buildSchema(sdl) }
  }
  return known
}

/** Answers a request in the form of GraphQL: data, errors or both. It throws only what is a fault of the server. */
export function runGraphql(request: GraphqlRequest, root: Root): JsonObject {
  const { library, schema } = loadGraphql()
  const { query, variables, operationName } = request
  let document: DocumentNode
  try {
    document = library.parse(query, { maxTokens: MOST_TOKENS })
  } catch (error) {
    return { errors: [describe(error as GraphQLError)] }
  }
  const rules = library.specifiedRules.map((rule) =>
    rule === library.FieldsOnCorrectTypeRule ? servedFields(schema) : rule,
  )
  // The depth comes first: other rules compare fields with each other.
  for (const some of [[limitDepth(library)], rules]) {
    const errors = library.validate(schema, document, some, { maxErrors: MOST_ERRORS })
    if (errors.length > 0) return { errors: errors.map(describe) }
  }
  const result = library.execute({
    schema,
    document,
    rootValue: root,
    variableValues: variables,
    operationName,
  }) as ExecutionResult
  const { data, errors = [] } = result
  const bug = errors.find(({ originalError }) => isBug(originalError))
  if (bug) throw bug.originalError
  return {
    ...(data !== undefined && { data: data as JsonObject | null }),
    ...(errors.length > 0 && { errors: errors.map(describe) }),
  }
}

/** Faults in values are those of the library; any other error is one of ours. */
const isBug = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof GraphqlFault) && error.name !== 'GraphQLError'

function describe({ message, path, locations, originalError }: GraphQLError): JsonObject {
  const { type } = (originalError ?? {}) as Partial<GraphqlFault>
  return {
    ...(type !== undefined && { type }),
    ...(path && { path: [...path] }),
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
    message,
  }
}

/** Fields that the schema has not are not served: clients of the whole interface show that to their users. */
const servedFields =
  (schema: GraphQLSchema) =>
  (context: ValidationContext): ASTVisitor => ({
    Field(node: FieldNode) {
      const type = context.getParentType()
      if (!type || context.getFieldDef()) return
      const name = node.name.value
      const isRoot = type === schema.getQueryType() || type === schema.getMutationType()
      const fields = 'getFields' in type ? Object.keys(type.getFields()).join(', ') : ''
      const message = isRoot
        ? `The operation ${name} is not served here. These are: ${fields}`
        : `The field ${name} of ${type.name} is not served here. These are: ${fields}`
      context.reportError(new (loadGraphql().library.GraphQLError)(message, { nodes: node }))
    },
  })

/** Refuses documents that are nested deeper than any of the client's, with fragments in the place of their names. */
const limitDepth =
  ({ GraphQLError, Kind }: Library) =>
  (context: ValidationContext): ASTVisitor => {
    const depths = new Map<string, number>()
    /** The depth below a node; without end in a cycle of fragments. */
    const depthOf = (node: ASTNode): number => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(node.name.value)
      const { selectionSet } = node as FieldNode
      if (!selectionSet) return 0
      const own = node.kind === Kind.FIELD ? 1 : 0
      return own + Math.max(...selectionSet.selections.map(depthOf))
    }
    const depthOfFragment = (name: string): number => {
      const found = depths.get(name)
      if (found !== undefined) return found
      depths.set(name, Number.POSITIVE_INFINITY)
      const fragment = context.getFragment(name)
      const depth = fragment ? depthOf(fragment) : 0
      depths.set(name, depth)
      return depth
    }
    return {
      OperationDefinition(node) {
        if (depthOf(node) <= DEEPEST) return
        const message = `The document is nested deeper than ${DEEPEST} fields`
        context.reportError(new GraphQLError(message, { nodes: node }))
      },
    }
  }

import { form, type SecretForm } from './form.ts'

const FLY = 'https://fly.io/docs/security/tokens/'
const GOOGLE = 'https://developers.google.com/identity/protocols/oauth2'
const SUPABASE = 'https://supabase.com/docs/guides/api/api-keys'
const YANDEX = 'https://yandex.com/dev/id/doc/en/'

/** Tokens of clouds and databases, and of programs that run there. */
export const CLOUD: readonly SecretForm[] = [
  ...form(
    'aiven-password',
    ['AVNS_'],
    '[A-Za-z0-9_-]{19}',
    'https://aiven.io/docs/platform/concepts/service-users',
  ),
  ...form(
    'alibaba-key',
    ['LTAI'],
    '[A-Za-z0-9]{12,26}',
    'https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair',
  ),
  ...form(
    'apify-token',
    ['apify_api_'],
    '[A-Za-z0-9]{36}',
    'https://docs.apify.com/platform/integrations/api',
  ),
  ...form(
    'aws-bedrock-key',
    ['ABSK'],
    '[A-Za-z0-9+/]{109,269}={0,2}',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
  ),
  ...form(
    'aws-bedrock-key',
    ['bedrock-api-key-'],
    '[A-Za-z0-9+/_-]{80,4000}={0,2}',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
  ),
  ...form(
    'aws-key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    '[A-Z0-9]{16}',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  ),
  ...form(
    'aws-session-token',
    ['IQoJb3JpZ2luX2Vj', 'FwoGZXIvYXdz'],
    '[A-Za-z0-9+/]{100,3000}={0,2}',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp.html',
  ),
  ...form(
    'cloudflare-token',
    ['cfk_', 'cfut_', 'cfat_'],
    '[A-Za-z0-9]{40}[0-9a-f]{8}',
    'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
  ),
  ...form(
    'databricks-token',
    ['dapi'],
    '[A-Fa-f0-9]{32}(?:-\\d)?',
    'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
  ),
  ...form('daytona-key', ['dtn_'], '[0-9a-f]{64}', 'https://www.daytona.io/docs/en/api-keys/'),
  ...form(
    'deno-token',
    ['ddp_', 'ddo_'],
    '[A-Za-z0-9]{36}',
    'https://docs.deno.com/subhosting/api/authentication/',
  ),
  ...form(
    'digitalocean-token',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    '[0-9a-f]{64}',
    'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
  ),
  ...form('e2b-key', ['e2b_'], '[0-9a-f]{40}', 'https://e2b.dev/docs/api-key'),
  ...form(
    'elastic-key',
    ['essu_'],
    '[A-Za-z0-9+/]{40,200}={0,2}',
    'https://www.elastic.co/docs/deploy-manage/api-keys/elastic-cloud-api-keys',
  ),
  ...form('fly-token', ['fo1_'], '[A-Za-z0-9_-]{43}', FLY),
  ...form('fly-token', ['fm1a_', 'fm1r_', 'fm2_'], '[A-Za-z0-9+/]{100,1000}={0,3}', FLY),
  ...form('google-client-secret', ['GOCSPX-'], '[A-Za-z0-9_-]{28}', GOOGLE),
  ...form(
    'google-key',
    ['AIza'],
    '[A-Za-z0-9_-]{35}',
    'https://cloud.google.com/docs/authentication/api-keys',
  ),
  ...form('google-token', ['ya29.'], '[A-Za-z0-9_-]{20,1000}', GOOGLE),
  ...form('google-token', ['1//0'], '[A-Za-z0-9_-]{30,500}', GOOGLE),
  ...form(
    'heroku-key',
    ['HRKU-'],
    '(?:AA[A-Za-z0-9_-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
    'https://devcenter.heroku.com/articles/authentication',
  ),
  ...form(
    'mongodb-secret',
    ['mdb_sa_sk_'],
    '[A-Za-z0-9_-]{40}',
    'https://www.mongodb.com/docs/atlas/api/service-accounts-overview/',
  ),
  ...form('neon-key', ['napi_'], '[a-z0-9]{64}', 'https://neon.com/docs/manage/api-keys'),
  ...form(
    'netlify-token',
    ['nfp_', 'nfc_', 'nfo_', 'nfu_'],
    '[A-Za-z0-9_]{36}',
    'https://docs.netlify.com/api/get-started/',
  ),
  ...form(
    'openshift-token',
    ['sha256~'],
    '[A-Za-z0-9_-]{43}',
    'https://docs.redhat.com/en/documentation/openshift_container_platform/',
  ),
  ...form(
    'planetscale-token',
    ['pscale_pw_', 'pscale_tkn_', 'pscale_oauth_'],
    '[A-Za-z0-9_.=-]{32,64}',
    'https://planetscale.com/docs/api/reference/service-tokens',
  ),
  ...form('render-key', ['rnd_'], '[A-Za-z0-9]{28,32}', 'https://render.com/docs/api'),
  ...form(
    'runpod-key',
    ['rpa_'],
    '[A-Za-z0-9]{44,50}',
    'https://docs.runpod.io/get-started/api-keys',
  ),
  ...form('scalingo-token', ['tk-us-'], '[A-Za-z0-9_-]{48}', 'https://developers.scalingo.com/'),
  ...form('supabase-key', ['sb_secret_'], '[A-Za-z0-9_-]{20,60}', SUPABASE),
  ...form('supabase-token', ['sbp_'], '(?:v0_)?[0-9a-f]{40}', SUPABASE),
  ...form(
    'tencent-key',
    ['AKID'],
    '[A-Za-z0-9]{32}',
    'https://www.tencentcloud.com/document/product/598/34228',
  ),
  ...form(
    'vercel-blob-token',
    ['vercel_blob_rw_'],
    '[A-Za-z0-9]{16}_[A-Za-z0-9]{30}',
    'https://vercel.com/docs/vercel-blob/using-blob-sdk',
  ),
  ...form(
    'vercel-token',
    ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    '[A-Za-z0-9]{20,60}',
    'https://vercel.com/docs/accounts/access-tokens',
  ),
  ...form(
    'yandex-key',
    ['AQVN'],
    '[A-Za-z0-9_-]{35,38}',
    'https://yandex.cloud/en/docs/iam/concepts/authorization/api-key',
  ),
  ...form('yandex-token', ['y0_', 'y1_', 'y2_', 'y3_'], '[A-Za-z0-9_-]{40,80}', YANDEX),
  ...form(
    'yandex-token',
    ['t1.9eu'],
    '[A-Za-z0-9_-]{20,400}\\.[A-Za-z0-9_-]{86}',
    'https://yandex.cloud/en/docs/iam/concepts/authorization/iam-token',
  ),
]

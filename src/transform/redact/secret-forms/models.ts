import { form, type SecretForm } from './form.ts'

/** Tokens of those who run language models. */
export const MODELS: readonly SecretForm[] = [
  ...form(
    'anthropic-key',
    ['sk-ant-'],
    '[A-Za-z0-9_-]{40,200}',
    'https://docs.anthropic.com/en/api/getting-started',
  ),
  ...form(
    'elevenlabs-key',
    ['sk_'],
    '[0-9a-f]{48}',
    'https://elevenlabs.io/docs/api-reference/authentication',
  ),
  ...form(
    'groq-key',
    ['gsk_'],
    '[A-Za-z0-9]{52}',
    'https://github.com/secretlint/secretlint/tree/master/packages/%40secretlint/secretlint-rule-groq',
  ),
  ...form(
    'hugging-face-token',
    ['hf_', 'api_org_'],
    '[A-Za-z0-9]{34,40}',
    'https://huggingface.co/docs/hub/security-tokens',
  ),
  ...form(
    'langfuse-key',
    ['sk-lf-'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://langfuse.com/docs/api',
  ),
  ...form(
    'langsmith-key',
    ['lsv2_pt_', 'lsv2_sk_'],
    '[0-9a-f]{32}_[0-9a-f]{10}',
    'https://docs.smith.langchain.com/administration/how_to_guides/organization_management/create_account_api_key',
  ),
  ...form('nvidia-key', ['nvapi-'], '[A-Za-z0-9_-]{60,70}', 'https://docs.api.nvidia.com/'),
  ...form(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    '[A-Za-z0-9_-]{40,200}',
    'https://platform.openai.com/docs/api-reference/authentication',
  ),
  ...form(
    'openrouter-key',
    ['sk-or-v1-'],
    '[0-9a-f]{64}',
    'https://openrouter.ai/docs/api-reference/authentication',
  ),
  ...form('perplexity-key', ['pplx-'], '[A-Za-z0-9]{48,56}', 'https://docs.perplexity.ai/'),
  ...form('pinecone-key', ['pcsk_'], '[A-Za-z0-9_]{60,80}', 'https://docs.pinecone.io/'),
  ...form(
    'replicate-token',
    ['r8_'],
    '[A-Za-z0-9]{37}',
    'https://replicate.com/docs/topics/security/api-tokens',
  ),
  ...form('wandb-key', ['wandb_v1_'], '[A-Za-z0-9_]{60,100}', 'https://docs.wandb.ai/'),
  ...form('xai-key', ['xai-'], '[A-Za-z0-9]{80}', 'https://docs.x.ai/docs/overview'),
]

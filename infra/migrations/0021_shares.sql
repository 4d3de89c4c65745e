-- Links to public pages of single shipments. Of a link's token only the SHA-256 is stored. A share ends at `expires_at`,
-- or `days_after_close` days after its shipment has closed, or when it is revoked. It goes with its shipment.
create table landfall.shares (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  token_hash bytea not null,
  label text,
  shows text[] not null,
  password_hash text,
  expires_at timestamptz(3),
  days_after_close smallint,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint shares_token_unique unique (token_hash),
  constraint shares_token_is_sha256 check (octet_length(token_hash) = 32),
  constraint shares_label_length check (length(label) between 1 and 200),
  constraint shares_shows_known check (shows <@ array['identifiers', 'carrier', 'reference', 'tags', 'metadata']),
  constraint shares_one_end check (num_nonnulls(expires_at, days_after_close) = 1),
  constraint shares_days_range check (days_after_close between 1 and 365)
);

create index shares_of_shipment on landfall.shares (account_id, shipment_id, id);

select landfall.protect_table('landfall.shares', for_app => '
  select (account_id, id, shipment_id, test, label, shows, password_hash, expires_at, days_after_close, created_by,
    created_at, revoked_at), insert, update (revoked_at)
');

-- How an account's shared pages look, and what new shares show. An account without a row has the defaults. `logo` is a
-- PNG that the API has drawn itself.
create table landfall.share_settings (
  account_id uuid primary key references landfall.accounts (id) on delete cascade,
  name text,
  accent_color text,
  support_url text,
  language text not null default 'en',
  embed_origins text[] not null default '{}',
  shows text[] not null default '{}',
  days_after_close smallint not null default 30,
  logo bytea,
  logo_hash text generated always as (encode(sha256(logo), 'hex')) stored,
  updated_at timestamptz(3) not null default now(),
  constraint share_settings_name_length check (length(name) between 1 and 100),
  constraint share_settings_accent_color_form check (accent_color ~ '^#[0-9a-f]{6}$'),
  constraint share_settings_support_url_length check (length(support_url) <= 500),
  constraint share_settings_language_known check (language in ('en', 'de', 'fr', 'es', 'pt', 'nl', 'zh', 'ja')),
  constraint share_settings_embed_origins_count check (cardinality(embed_origins) <= 20),
  constraint share_settings_shows_known
    check (shows <@ array['identifiers', 'carrier', 'reference', 'tags', 'metadata']),
  constraint share_settings_days_range check (days_after_close between 1 and 365),
  constraint share_settings_logo_size check (octet_length(logo) <= 262144)
);

select landfall.protect_table('landfall.share_settings', for_app => 'select, insert, update');

create extension if not exists pg_trgm;
create extension if not exists btree_gist;

-- Search words of one, two and more characters, Chinese and Latin alike, are found by
-- containment of single characters and bigrams; the query re-checks with like.
create function search_grams(content text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}')
  from (select lower(regexp_replace(coalesce(content, ''), '\s+', '', 'g')) as flat) as source,
       generate_series(1, length(flat)) as position,
       lateral (values (substr(flat, position, 1)), (substr(flat, position, 2))) as grams(gram)
$$;

create table region (
  code integer primary key check (code between 100000 and 999999),
  parent_code integer references region (code),
  name text not null,
  level smallint not null check (level between 1 and 3)
);
create index region_parent on region (parent_code);

create table category (
  id integer primary key,
  parent_id integer not null,
  name text not null,
  name_en text not null,
  alias text[] not null default '{}',
  level smallint not null check (level in (1, 2)),
  order_num integer not null,
  status text not null default '0' check (status in ('0', '1')),
  core boolean not null default false,
  params jsonb not null default '[]',
  flags jsonb not null default '{}',
  operator_cert text not null default '',
  price_units text[] not null default '{}',
  litres_per_shift numeric(8, 2) not null default 0,
  version integer not null default 1
);
create index category_parent on category (parent_id, order_num);

create table dictionary (
  dict_type text not null,
  dict_value text not null,
  dict_label text not null,
  dict_label_en text not null,
  dict_sort integer not null,
  status text not null default '0' check (status in ('0', '1')),
  primary key (dict_type, dict_value)
);

create table setting (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Business numbers: one counter for each prefix and day (Asia/Shanghai); gaps are allowed.
create table code_counter (
  prefix text not null,
  day date not null,
  last integer not null,
  primary key (prefix, day)
);

create table company (
  id bigint generated always as identity primary key,
  enterprise_name text not null check (length(enterprise_name) between 4 and 100),
  credit_code text not null unique check (credit_code ~ '^[0-9A-HJ-NPQRTUWXY]{18}$'),
  entity_type text not null default '1' check (entity_type in ('1', '2', '3', '4')),
  scale_type text check (scale_type in ('large', 'medium', 'small', 'micro')),
  taxpayer_type text not null default 'general' check (taxpayer_type in ('general', 'small')),
  group_name text not null default '',
  legal_person text not null default '',
  province_id integer references region (code),
  city_id integer references region (code),
  district_id integer references region (code),
  address text not null default '',
  contact_name text not null default '',
  contact_phone text not null default '',
  intro text not null default '' check (length(intro) <= 2000),
  established_on date,
  is_lessor boolean not null default false,
  is_lessee boolean not null default false,
  lessor_audit text not null default '0' check (lessor_audit in ('0', '1', '2', '3', '4', '6')),
  lessee_audit text not null default '0' check (lessee_audit in ('0', '1', '2', '3', '4', '6')),
  lessor_valid_to date,
  grade text check (grade in ('A', 'B', 'C', 'D')),
  service_regions integer[] not null default '{}',
  main_categories integer[] not null default '{}',
  blacklisted_at timestamptz,
  search_text text not null default '',
  search_grams text[] generated always as (search_grams(search_text)) stored,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  del_flag text not null default '0' check (del_flag in ('0', '2'))
);
create index company_search on company using gin (search_grams);
create index company_lessors on company (province_id, id desc) where is_lessor and lessor_audit = '2' and del_flag = '0';

create table dept (
  id bigint generated always as identity (start with 100) primary key,
  parent_id bigint references dept (id),
  ancestors bigint[] not null default '{}',
  dept_name text not null check (length(dept_name) between 2 and 60),
  dept_type text not null check (dept_type in ('1', '2', '3', '4')),
  company_id bigint not null references company (id),
  order_num integer not null default 0,
  leader text not null default '',
  phone text not null default '',
  status text not null default '0' check (status in ('0', '1')),
  project_name text,
  project_type text,
  province_id integer references region (code),
  city_id integer references region (code),
  district_id integer references region (code),
  address text not null default '',
  low_emission_zone boolean not null default false,
  create_time timestamptz not null default now(),
  del_flag text not null default '0' check (del_flag in ('0', '2')),
  check (dept_type <> '3' or project_name is not null)
);
create unique index dept_sibling_name on dept (coalesce(parent_id, 0), company_id, dept_name) where del_flag = '0';
create index dept_ancestors on dept using gin (ancestors);
create index dept_company on dept (company_id);

create table account (
  id bigint generated always as identity (start with 1000) primary key,
  user_name text not null unique check (length(user_name) between 2 and 30),
  phonenumber text unique check (phonenumber ~ '^1[3-9][0-9]{9}$'),
  name text not null default '',
  nick_name text not null default '',
  password_hash text not null,
  user_type text not null default '1' check (user_type in ('1', '2', '3', '4', '8', '9')),
  cert_sign smallint not null default 0 check (cert_sign between 0 and 3),
  audit_status text not null default '0' check (audit_status in ('0', '1', '2', '3', '4', '5', '6')),
  dept_id bigint references dept (id),
  company_id bigint references company (id),
  is_admin boolean not null default false,
  status text not null default '0' check (status in ('0', '1')),
  failed_logins integer not null default 0,
  locked_until timestamptz,
  password_updated_at timestamptz not null default now(),
  create_time timestamptz not null default now(),
  del_flag text not null default '0' check (del_flag in ('0', '2')),
  check (user_type not in ('2', '3') or dept_id is not null),
  check (user_type <> '4' or company_id is not null)
);
create index account_company on account (company_id);
create index account_by_dept on account (dept_id);

create table account_dept (
  account_id bigint not null references account (id) on delete cascade,
  dept_id bigint not null references dept (id),
  primary key (account_id, dept_id)
);
create index account_dept_dept on account_dept (dept_id);

-- Only a hash of the token is kept: a copy of this table signs nobody in.
create table session (
  token_hash bytea primary key,
  account_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null default '',
  agent text not null default ''
);
create index session_account on session (account_id);
create index session_expiry on session (expires_at);

-- Failures per address, so that a guesser who changes names is slowed as well.
create table login_failure (
  address text not null,
  at timestamptz not null
);
create index login_failure_address on login_failure (address, at);

create table image_code (
  uuid uuid primary key,
  type text not null,
  answer_hash bytea not null,
  expires_at timestamptz not null
);

create table file (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) <= 100),
  size integer not null check (size >= 0),
  mime text not null,
  sha256 bytea not null,
  access text not null check (access in ('public', 'login', 'partners', 'owner')),
  account_id bigint not null references account (id),
  company_id bigint references company (id),
  dept_id bigint references dept (id),
  has_thumbnail boolean not null default false,
  create_time timestamptz not null default now()
);
create index file_account on file (account_id);

create table message (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  system_subject text not null,
  kind text not null,
  params jsonb not null default '{}',
  title text not null,
  content text not null check (length(content) <= 1000),
  level text not null default 'info' check (level in ('info', 'warn')),
  biz_type text not null default '',
  biz_id text not null default '',
  link text not null default '',
  is_read text not null default '0' check (is_read in ('0', '1')),
  read_time timestamptz,
  create_time timestamptz not null default now()
);
create index message_own on message (account_id, is_read, id desc);
create index message_unread on message (account_id) where is_read = '0';

create table article (
  id bigint generated always as identity primary key,
  tab text not null check (tab in ('1', '2', '3')),
  title text not null check (length(title) <= 80),
  summary text not null default '' check (length(summary) <= 200),
  content text not null,
  source text not null default '',
  author text not null default '',
  top boolean not null default false,
  status text not null default '1' check (status in ('0', '1', '2')),
  publish_time timestamptz not null,
  view_count integer not null default 0
);
create index article_list on article (tab, top desc, publish_time desc) where status = '1';

create table contact (
  id bigint generated always as identity primary key,
  name text not null,
  company text not null,
  phone text not null,
  email text not null default '',
  type text not null,
  content text not null,
  status text not null default '0' check (status in ('0', '1')),
  create_time timestamptz not null default now()
);

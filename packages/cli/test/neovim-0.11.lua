-- Gives Neovim 0.7 the functions `vim.lsp.config` and `vim.lsp.enable` of 0.11, as its manual
-- describes them: a buffer with a file type of the settings gets a server, whose root is the folder
-- with a marker, and servers are shared as `reuse_client` says, by name and root if absent.
local settings = {}

vim.lsp.config = setmetatable({}, {
  __call = function(_, name, given)
    settings[name] = vim.tbl_deep_extend('force', settings[name] or {}, given)
  end,
})

-- As the settings of a user who wants a server for each project.
vim.lsp.config('*', { root_markers = { '.project' } })

local function rootOf(buffer, markers)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  for _, marker in ipairs(markers or {}) do
    local found = vim.fn.finddir(marker, folder .. ';')
    if found ~= '' then return vim.fn.fnamemodify(found, ':p:h:h') end
  end
  return nil
end

local function isShared(client, config)
  return client.name == config.name and client.config.root_dir == config.root_dir
end

local started = {}

local function attach(buffer, name)
  local config = vim.tbl_deep_extend('force', settings['*'] or {}, settings[name])
  if vim.bo[buffer].buftype ~= '' then return end
  if not vim.tbl_contains(config.filetypes, vim.bo[buffer].filetype) then return end
  config.name = name
  config.root_dir = config.root_dir or rootOf(buffer, config.root_markers)
  for _, client in ipairs(started) do
    if (config.reuse_client or isShared)(client, config) then
      vim.lsp.buf_attach_client(buffer, client.id)
      return
    end
  end
  local id = vim.lsp.start_client(config)
  table.insert(started, { id = id, name = name, config = config })
  vim.lsp.buf_attach_client(buffer, id)
end

function vim.lsp.enable(name)
  vim.api.nvim_create_autocmd('FileType', {
    callback = function(event) attach(event.buf, name) end,
  })
end

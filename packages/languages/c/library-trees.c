/*
 * The functions of libstdc++ behind std::map and std::set. Nodes lie in the order of their keys;
 * the tree is not balanced, which no caller can tell. Only the header's node is red, by which the
 * headers and a step back from the end recognise it.
 */
struct fw_node {
  int is_black;
  struct fw_node *parent, *left, *right;
};

void fw_tree_insert(_Bool is_left, struct fw_node *node, struct fw_node *parent,
                    struct fw_node *header)
    __asm__("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
void fw_tree_insert(_Bool is_left, struct fw_node *node, struct fw_node *parent,
                    struct fw_node *header) {
  node->is_black = 1;
  node->parent = parent;
  node->left = NULL;
  node->right = NULL;
  if (parent == header) {
    header->parent = node;
    header->left = node;
    header->right = node;
  } else if (is_left) {
    parent->left = node;
    if (header->left == parent)
      header->left = node;
  } else {
    parent->right = node;
    if (header->right == parent)
      header->right = node;
  }
}

struct fw_node *fw_tree_next(struct fw_node *node)
    __asm__("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
struct fw_node *fw_tree_next(struct fw_node *node) {
  if (node->right) {
    node = node->right;
    while (node->left)
      node = node->left;
    return node;
  }
  struct fw_node *parent = node->parent;
  while (node == parent->right) {
    node = parent;
    parent = parent->parent;
  }
  /* From the last node, which is the root, the way ends at the root: the next one is the header. */
  return node->right == parent ? node : parent;
}
struct fw_node *fw_tree_next_const(struct fw_node *node)
    __asm__("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
struct fw_node *fw_tree_next_const(struct fw_node *node) { return fw_tree_next(node); }

struct fw_node *fw_tree_previous(struct fw_node *node)
    __asm__("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
struct fw_node *fw_tree_previous(struct fw_node *node) {
  if (!node->is_black)
    return node->right;
  if (node->left) {
    node = node->left;
    while (node->right)
      node = node->right;
    return node;
  }
  struct fw_node *parent = node->parent;
  while (node == parent->left) {
    node = parent;
    parent = parent->parent;
  }
  return parent;
}
struct fw_node *fw_tree_previous_const(struct fw_node *node)
    __asm__("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
struct fw_node *fw_tree_previous_const(struct fw_node *node) { return fw_tree_previous(node); }

/* Puts a node, or nothing, in the place of another one. */
static void fw_tree_replace(struct fw_node *node, struct fw_node *by, struct fw_node *header) {
  if (header->parent == node)
    header->parent = by;
  else if (node->parent->left == node)
    node->parent->left = by;
  else
    node->parent->right = by;
  if (by)
    by->parent = node->parent;
}

struct fw_node *fw_tree_erase(struct fw_node *node, struct fw_node *header)
    __asm__("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
struct fw_node *fw_tree_erase(struct fw_node *node, struct fw_node *header) {
  if (header->left == node)
    header->left = fw_tree_next(node);
  if (header->right == node)
    header->right = header->parent == node && !node->left ? header : fw_tree_previous(node);
  if (!node->left)
    fw_tree_replace(node, node->right, header);
  else if (!node->right)
    fw_tree_replace(node, node->left, header);
  else {
    struct fw_node *next = fw_tree_next(node);
    if (next->parent != node) {
      fw_tree_replace(next, next->right, header);
      next->right = node->right;
      next->right->parent = next;
    }
    fw_tree_replace(node, next, header);
    next->left = node->left;
    next->left->parent = next;
  }
  return node;
}
